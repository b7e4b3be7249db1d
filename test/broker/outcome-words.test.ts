import { describe, expect, test } from 'vitest';
import {
  diagnosticLine,
  diagnosticsLines,
  keptNote,
  landedLine,
  listed,
  overwroteLine,
  reflowLines,
} from '../../src/broker/outcome-words.ts';
import type { FileReceipt } from '../../src/broker/receipt.ts';
import type { DiagnosticsReport, FileDiagnostic } from '../../src/diagnostics/report.ts';

const file = (part: Partial<FileReceipt>): FileReceipt => ({
  path: 'src/auth.ts',
  op: 'edit',
  added: 3,
  removed: 1,
  sha256: { before: 'a', after: 'b' },
  encoding: 'utf-8',
  eol: 'lf',
  matched_via: 'exact',
  hunks: [{ old: [41, 1], new: [41, 3], bytes: [1180, 1216] }],
  diff: '',
  ...part,
});

const diagnostic = (part: Partial<FileDiagnostic> = {}): FileDiagnostic => ({
  path: 'src/api/login.ts',
  range: { start: { line: 16, character: 4 }, end: { line: 16, character: 9 } },
  severity: 'error',
  code: 'TS2554',
  source: 'typescript',
  message: 'Expected 2 arguments, but got 1.',
  ...part,
});

const report = (part: Partial<DiagnosticsReport>): DiagnosticsReport => ({
  state: 'fresh',
  ms: 31,
  before: 0,
  unchecked: 0,
  introduced: [],
  fixed: [],
  open: [],
  servers: [],
  ...part,
});

describe('what a landed change reads like', () => {
  test.each([
    ['an exact edit', file({}), undefined, 'Edited src/auth.ts (+3 -1) L41-43 [e7]'],
    [
      'a tolerant edit',
      file({ matched_via: 'indentation-flexible' }),
      'shifted 4 spaces',
      'Edited src/auth.ts (+3 -1) L41-43 [e7] matched_via: indentation-flexible (shifted 4 spaces)',
    ],
    [
      'several places',
      file({
        matched_via: 'multi-occurrence',
        hunks: [
          { old: [1, 1], new: [1, 1], bytes: [0, 1] },
          { old: [9, 1], new: [9, 2], bytes: [80, 81] },
        ],
      }),
      '2 places',
      'Edited src/auth.ts (+3 -1) L1, L9-10 [e7] matched_via: multi-occurrence (2 places)',
    ],
    ['a new file', file({ op: 'create', added: 24, removed: 0 }), undefined, 'Created src/auth.ts (24 lines) [e7]'],
  ])('%s', (_what, receipt, detail, text) => {
    expect(landedLine(receipt, 'e7', detail)).toBe(text);
  });

  test('names no more than six places', () => {
    const hunks = Array.from({ length: 9 }, (_, index) => ({
      old: [index * 10 + 1, 1] as const,
      new: [index * 10 + 1, 1] as const,
      bytes: [0, 1] as const,
    }));
    expect(landedLine(file({ hunks }), 'e7', undefined)).toBe(
      'Edited src/auth.ts (+3 -1) L1, L11, L21, L31, L41, L51 and 3 more [e7]',
    );
  });

  test('an overwritten file', () => {
    expect(overwroteLine(file({ added: 12, removed: 3 }), 'e11')).toBe('Overwrote src/auth.ts (+12 -3) [e11]');
  });

  test('kept lines that drifted are named, in ranges', () => {
    expect(keptNote([])).toBeUndefined();
    expect(keptNote([12, 15, 16])).toBe('note: kept as in the file: L12, L15-16 (old_string had other words there)');
  });
});

describe('what diagnostics read like', () => {
  test.each<[string, DiagnosticsReport, string[]]>([
    ['nothing where no server speaks the language', report({ state: 'none' }), []],
    ['clean', report({}), ['diagnostics: clean (31 ms)']],
    [
      'a delta',
      report({ introduced: [diagnostic()], fixed: [diagnostic(), diagnostic()], before: 5 }),
      [
        'diagnostics: 1 introduced, 2 fixed, 5 before (31 ms)',
        '+ src/api/login.ts:17:5 error TS2554 Expected 2 arguments, but got 1.',
      ],
    ],
    [
      'errors of earlier edits of the session',
      report({ open: [diagnostic()] }),
      [
        'diagnostics: 0 introduced, 0 fixed, 1 still open (31 ms)',
        '= src/api/login.ts:17:5 error TS2554 Expected 2 arguments, but got 1.',
      ],
    ],
    [
      'no baseline: nothing is called new',
      report({ before: null, open: [diagnostic()] }),
      [
        'diagnostics: 1 error in src/auth.ts (not known which are new)',
        '? src/api/login.ts:17:5 error TS2554 Expected 2 arguments, but got 1.',
      ],
    ],
    [
      'pending',
      report({
        state: 'pending',
        before: null,
        servers: [{ name: 'typescript', version: null, state: 'pending', reason: 'loading', sinceMs: 2012 }],
      }),
      ['diagnostics: pending (typescript is loading, 2.0 s); they follow with a later result'],
    ],
    [
      'unavailable',
      report({
        state: 'unavailable',
        before: null,
        servers: [{ name: 'pyright', version: null, state: 'unavailable', reason: 'it ended with signal SIGKILL' }],
      }),
      ['diagnostics: unavailable (pyright: it ended with signal SIGKILL)'],
    ],
    [
      'dependants that were not looked at',
      report({ unchecked: 3 }),
      ['diagnostics: clean (31 ms); 3 dependent files not checked yet'],
    ],
    [
      'dependants that were not even looked for',
      report({ isSeeking: true }),
      ['diagnostics: clean (31 ms); dependent files not checked yet'],
    ],
    [
      'no baseline, and not all of them errors',
      report({ before: null, open: [diagnostic({ severity: 'warning' })] }),
      [
        'diagnostics: 1 finding in src/auth.ts (not known which are new)',
        '? src/api/login.ts:17:5 warning TS2554 Expected 2 arguments, but got 1.',
      ],
    ],
  ])('%s', (_what, given, lines) => {
    expect(diagnosticsLines(given, 'src/auth.ts', 'they follow with a later result')).toEqual(lines);
  });

  test('no more than 10 over 5 files, then how many more', () => {
    const many = Array.from({ length: 30 }, (_, index) => diagnostic({ path: `src/f${Math.floor(index / 3)}.ts` }));
    const lines = listed('+', many);
    expect(lines).toHaveLength(11);
    expect(new Set(lines.slice(0, 10).map((line) => line.split(':')[0])).size).toBeLessThanOrEqual(5);
    expect(lines.at(-1)).toBe('+ … 20 more (Diagnostics lists them)');
  });

  test.each([
    ["Cannot find module 'lodash' or its corresponding type declarations.", 1],
    ["Could not find a declaration file for module 'lodash'. '/p' implicitly has an 'any' type.", 1],
    ['Import "django.db" could not be resolved', 1],
    ['could not import example.com/x (no required module provides package)', 1],
    ["Cannot find module './own' or its corresponding type declarations.", 11],
    ['Import ".own" could not be resolved', 11],
  ])('300 times %j takes %i lines: what is missing from the environment is said once', (message, lines) => {
    const storm = Array.from({ length: 300 }, () => diagnostic({ message }));
    expect(listed('+', storm)).toHaveLength(lines);
    const others = listed('+', [...storm.slice(0, 297), diagnostic(), diagnostic(), diagnostic()]);
    expect(others.length).toBe(lines === 1 ? 4 : 11);
    if (lines === 1) expect(others.at(-1)).toContain('+ 297 imports of packages that are not found');
    expect(listed('+', storm.slice(0, 3))).toHaveLength(3);
  });

  test.each(['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f', ' \n\n '])(
    'a message can not look like a line of ours by %j',
    (end) => {
      const line = diagnosticLine(diagnostic({ message: `one${end}diagnostics: clean${end}\u001b[2Ktwo` }));
      expect(line).toMatch(/ one diagnostics: clean \\x1b\[2Ktwo$/);
    },
  );

  test('a message of several lines stands on one and is cut', () => {
    expect(diagnosticLine(diagnostic({ message: 'Type A\n  is not\n  type B.' }))).toBe(
      'src/api/login.ts:17:5 error TS2554 Type A is not type B.',
    );
    expect(diagnosticLine(diagnostic({ message: 'x'.repeat(5000) })).length).toBeLessThan(400);
    const faces = diagnosticLine(diagnostic({ message: `x${'🙂'.repeat(500)}` }));
    expect(faces).toBe(Buffer.from(faces).toString());
  });

  test('late diagnostics are labelled with the edit that they belong to', () => {
    expect(reflowLines({ receipt: 'e7', report: report({ introduced: [diagnostic()] }) })).toEqual([
      'diagnostics of [e7]: 1 introduced, 0 fixed',
      '+ src/api/login.ts:17:5 error TS2554 Expected 2 arguments, but got 1.',
    ]);
    expect(reflowLines({ receipt: 'e7', report: report({ before: null }) })).toEqual(['diagnostics of [e7]: clean']);
  });
});
