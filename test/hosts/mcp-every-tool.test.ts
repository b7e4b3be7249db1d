import { rmSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MAX_RECEIPT } from '../../src/hosts/mcp-server.ts';
import { type ConnectedClient, openMcp, textOf } from '../support/mcp-client.ts';
import { makeLastingProject, type Project } from '../support/project.ts';

// A language server is started.
vi.setConfig({ testTimeout: 60_000 });

const ALL = 'Read,Edit,MultiEdit,Write,Glob,Grep,Bash,Diagnostics,apply_patch,LSP,Undo';
const LISTS_ALL = ['--experimental-lsp', '--tools', ALL];
/** UTF-16 units: what an answer may have by default, and the words about what was cut. */
const CEILING = 100_000 + 200;

const numbered = (lines: number, line = 'line') => Array.from({ length: lines }, (_, n) => `${line} ${n}\n`).join('');
const FILES: Readonly<Record<string, string>> = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true }, "include": ["*.ts"] }',
  'a.txt': 'alpha\nbeta\n',
  'b.txt': 'gamma\n',
  'empty.txt': '',
  'many.txt': numbered(9000),
  'same.txt': 'alpha beta;\n'.repeat(1000),
  'wide.txt': numbered(300, '日本語x'.repeat(500)),
  'ok.ts': `export function named(): void {}\n${'named();\n'.repeat(500)}`,
  'bad.ts': numbered(150, 'const').replace(/const (\d+)/g, 'const v$1: string = $1;'),
  'outline.ts': numbered(500, 'export const s').replace(/s (\d+)/g, 's$1 = $1;'),
  ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`folder/f${n}.txt`, `${'x'.repeat(500)} needle\n`])),
};

/** The same files under a client that checks what is structured, and one that is shown texts. */
let strict: ConnectedClient & { readonly project: Project };
let plain: ConnectedClient & { readonly project: Project };
beforeAll(async () => {
  const open = async (...args: readonly string[]) => {
    const project = makeLastingProject(FILES);
    const connected = await openMcp({ args: ['--in-process', '--root', project.root, ...LISTS_ALL, ...args] });
    // The client checks answers by the schemas that it was told of.
    await connected.client.listTools();
    return { ...connected, project };
  };
  [strict, plain] = await Promise.all([open('--structured'), open()]);
});
afterAll(async () => {
  for (const { client, project } of [strict, plain]) {
    await client.close();
    rmSync(project.root, { recursive: true, force: true });
  }
});

const callOf = ({ client }: ConnectedClient, name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: args });

const PATCH = (...lines: readonly string[]) => ({ input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

const FAILURES: readonly (readonly [string, string, Record<string, unknown>, string])[] = [
  ['Read', 'a missing file', { file_path: 'gone.txt' }, 'not_found'],
  ['Read', 'an offset past the end', { file_path: 'a.txt', offset: 99 }, 'invalid_arguments'],
  ['Read', 'a path outside', { file_path: '/etc/hostname' }, 'denied'],
  ['Read', 'a path of another type', { file_path: 5 }, 'invalid_arguments'],
  ['Edit', 'a missing file', { file_path: 'gone.txt', old_string: 'a', new_string: 'b' }, 'not_found'],
  ['Edit', 'what is not there', { file_path: 'a.txt', old_string: 'zeta zeta', new_string: 'b' }, 'no_match'],
  ['Edit', 'many places', { file_path: 'same.txt', old_string: 'alpha', new_string: 'b' }, 'ambiguous'],
  ['Edit', 'no arguments', {}, 'invalid_arguments'],
  [
    'MultiEdit',
    'a missing file',
    { file_path: 'gone.txt', edits: [{ old_string: 'a', new_string: 'b' }] },
    'not_found',
  ],
  ['MultiEdit', 'edits that are no list', { file_path: 'a.txt', edits: 7 }, 'invalid_arguments'],
  ['Write', 'a folder', { file_path: 'folder', content: 'a' }, 'is_directory'],
  ['Write', 'no content', { file_path: 'a.txt' }, 'invalid_arguments'],
  ['Glob', 'a missing folder', { pattern: '*', path: 'gone' }, 'not_found'],
  ['Glob', 'a pattern that is none', { pattern: '[' }, 'invalid_arguments'],
  ['Grep', 'a missing folder', { pattern: 'a', path: 'gone' }, 'not_found'],
  ['Grep', 'a regex that is none', { pattern: '(' }, 'invalid_arguments'],
  ['Grep', 'a mode that there is not', { pattern: 'a', output_mode: 'loud' }, 'invalid_arguments'],
  ['Bash', 'a command over its time', { command: 'seq 100000; sleep 7341', timeout: 700 }, 'timeout'],
  ['Bash', 'a missing folder', { command: 'true', cwd: 'gone' }, 'not_found'],
  ['Bash', 'no command', {}, 'invalid_arguments'],
  ['Diagnostics', 'a missing file', { file_path: 'gone.ts' }, 'not_found'],
  ['Diagnostics', 'a severity that there is not', { severity: 'loud' }, 'invalid_arguments'],
  ['apply_patch', 'what is no patch', { input: 'nonsense' }, 'invalid_arguments'],
  ['apply_patch', 'a missing file', PATCH('*** Update File: gone.txt', '@@', '-a', '+b'), 'not_found'],
  ['LSP', 'a missing file', { operation: 'documentSymbol', filePath: 'gone.ts' }, 'not_found'],
  ['LSP', 'an operation that there is not', { operation: 'dance' }, 'invalid_arguments'],
  ['Undo', 'a change that there is not', { id: 'e999' }, 'not_found'],
];

describe('a call that fails is an error that a model can read, also to a client that checks schemas', () => {
  test.each(FAILURES)('%s: %s', async (tool, _what, args, code) => {
    for (const result of await Promise.all([callOf(strict, tool, args), callOf(plain, tool, args)])) {
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      expect(textOf(result)).toMatch(new RegExp(`^Error ${code}: \\S.{10}`));
      expect(textOf(result).length).toBeLessThan(CEILING);
      expect(result._meta?.['emend/receipt']).toMatchObject({ ok: false, code });
    }
  });
});

const LONG = numbered(2000, 'const n: number = "a"; //');
const ANSWERS: readonly (readonly [string, string, Record<string, unknown>, RegExp])[] = [
  ['Read', 'a file', { file_path: 'a.txt' }, /^1→alpha\n2→beta$/],
  ['Read', 'an empty file', { file_path: 'empty.txt' }, /empty/],
  ['Read', 'a page', { file_path: 'many.txt', offset: 11, limit: 2 }, /^11→line 10\n12→line 11\n\(.*next offset 13\)$/],
  ['Read', 'the first page', { file_path: 'many.txt' }, /\(lines 1-2000 of 9000; next offset 2001\)$/],
  ['Read', 'more than fits', { file_path: 'many.txt', limit: 1e6 }, /next offset \d+\)$/],
  [
    'Read',
    'wide lines',
    { file_path: 'wide.txt' },
    /next offset \d+; \d+ lines cut: Grep shows other parts of them\)$/,
  ],
  ['Read', 'a folder', { file_path: 'folder' }, /f0\.txt/],
  ['Edit', 'a line', { file_path: 'a.txt', old_string: 'alpha', new_string: 'ALPHA' }, /^Edited a\.txt \(\+1 -1\)/],
  [
    'Edit',
    'a thousand places',
    { file_path: 'same.txt', old_string: 'beta', new_string: 'b', replace_all: true },
    /^Edited same\.txt \(\+1000 -1000\).*… \d+ more lines of this change$/s,
  ],
  ['Undo', 'the last change', {}, /^Edited same\.txt \(\+1000 -1000\)/],
  [
    'MultiEdit',
    'two files',
    {
      edits: [
        { file_path: 'a.txt', old_string: 'beta', new_string: 'BETA' },
        { file_path: 'b.txt', old_string: 'gamma', new_string: 'GAMMA' },
      ],
    },
    /^Edited a\.txt .*\nEdited b\.txt /s,
  ],
  [
    'MultiEdit',
    'twenty files',
    {
      edits: Array.from({ length: 20 }, (_, n) => {
        return { file_path: `folder/f${n}.txt`, old_string: 'needle', new_string: 'NEEDLE' };
      }),
    },
    /Edited folder\/f19\.txt/,
  ],
  ['Write', 'nothing', { file_path: 'none.txt', content: '' }, /^Created none\.txt \(0 lines\)/],
  ['Glob', 'one file', { pattern: 'a.t*' }, /^a\.txt\n\(1 of 1\)$/],
  ['Glob', 'nothing', { pattern: '*.zzz' }, /^\(none\b/],
  ['Glob', 'more than are shown', { pattern: 'folder/*.txt' }, /\n\(100 of 300; narrow the pattern/],
  ['Grep', 'one file', { pattern: 'GAMMA' }, /^b\.txt\n\(1 file\b/],
  ['Grep', 'nothing', { pattern: 'zzzqqq' }, /^\(none in \d+ files/],
  ['Grep', 'a page', { pattern: 'needle', head_limit: 2, offset: 4 }, /; offset 6\)$/],
  [
    'Grep',
    'more than fits',
    { pattern: 'needle', output_mode: 'content', head_limit: 0 },
    // All are counted where that takes little time.
    /\(\d+(?: of 280 matches in 280 files|, more); offset \d+\)$/,
  ],
  [
    'Grep',
    'lines around',
    { pattern: 'line 9', path: 'many.txt', output_mode: 'content', '-A': 8000 },
    /offset \d+|left out/,
  ],
  ['Grep', 'counts', { pattern: 'needle', output_mode: 'count' }, /\(250(?: of 280 files|, more); offset 250\)$/],
  ['Bash', 'no output', { command: 'true' }, /^exit 0 \([\d.]+ s, no output\)/],
  ['Bash', 'a failure', { command: 'echo why; exit 4' }, /^exit 4 \([\d.]+ s\)\nwhy/],
  [
    'Bash',
    'many lines',
    { command: 'seq 1000000' },
    /lines left out; all 1,000,000 lines in \S+ \(Read or Grep it\) …\n/,
  ],
  [
    'Bash',
    'one long line',
    { command: "head -c 3000000 /dev/zero | tr '\\0' a" },
    /left out.* \S+ \(Read or Grep it\)/,
  ],
  ['Diagnostics', 'a clean file', { file_path: 'ok.ts', wait_ms: 30_000 }, /^ok\.ts: clean/m],
  ['Diagnostics', 'many findings', { file_path: 'bad.ts', wait_ms: 30_000 }, /^bad\.ts: 150 found\n.*… 50 more/ms],
  [
    'Diagnostics',
    'what was changed',
    { since: 'session', wait_ms: 30_000 },
    /^a\.txt: no language server for it here\n.*b\.txt/s,
  ],
  ['LSP', 'an outline', { operation: 'documentSymbol', filePath: 'ok.ts' }, /function named/],
  ['LSP', 'more symbols', { operation: 'documentSymbol', filePath: 'outline.ts' }, /\(300 of 500 symbols\)$/],
  [
    'LSP',
    'more places',
    { operation: 'findReferences', symbol: 'ok.ts#named' },
    /\(100 of 501 references in 1 file; not/,
  ],
  ['LSP', 'nothing', { operation: 'workspaceSymbol', query: 'zzzq', filePath: 'ok.ts' }, /^no symbol matches "zzzq"$/],
  [
    'apply_patch',
    'two files',
    PATCH('*** Add File: new.txt', '+new', '*** Delete File: none.txt'),
    /\nCreated new\.txt/,
  ],
  ['Write', 'many lines', { file_path: 'long.ts', content: LONG }, /^Created long\.ts \(2000 lines\).*more lines of/s],
];

describe('an answer is accepted by a client that checks schemas, bounded, and the same text to all', () => {
  test.each(ANSWERS)('%s: %s', async (tool, _what, args, shape) => {
    const [checked, shown] = await Promise.all([callOf(strict, tool, args), callOf(plain, tool, args)]);
    for (const result of [checked, shown]) {
      expect(result.isError).toBeFalsy();
      expect(textOf(result)).toMatch(shape);
      expect(textOf(result).length).toBeLessThan(CEILING);
    }
    expect(checked.structuredContent).toMatchObject({ tool, ok: true });
    expect(shown.structuredContent).toBeUndefined();
    expect(withoutChance(textOf(checked), strict.project)).toBe(withoutChance(textOf(shown), plain.project));
  });

  test('a receipt stays below what clients take in one message, and says what it left out', async () => {
    const told = [
      await callOf(strict, 'Write', { file_path: 'more.ts', content: LONG }),
      await callOf(strict, 'Diagnostics', { wait_ms: 30_000 }),
      await callOf(strict, 'Read', { file_path: 'b.txt' }),
    ];
    for (const { _meta, structuredContent } of told) {
      expect(JSON.stringify(_meta).length).toBeLessThan(MAX_RECEIPT * 1.1);
      expect(structuredContent).toEqual(_meta?.['emend/receipt']);
    }
    const cut = told.flatMap(
      ({ structuredContent }) => (structuredContent as { receipt_cut?: number }).receipt_cut ?? [],
    );
    expect(Math.max(0, ...cut)).toBeGreaterThan(10_000);
  });

  test('every tool that is listed is in both tables', async () => {
    const { tools } = await plain.client.listTools();
    const names = tools.map(({ name }) => name).sort();
    expect(names).toEqual(ALL.split(',').sort());
    for (const table of [FAILURES, ANSWERS]) expect([...new Set(table.map(([tool]) => tool))].sort()).toEqual(names);
  });
});

describe('what a client lists costs little', () => {
  test('all tools take less than 12 KB, with output schemas too', async () => {
    for (const { client } of [strict, plain]) {
      const { tools } = await client.listTools();
      expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(12_000);
    }
  });

  test('the default ones take at most 1,300 tokens', async () => {
    const { client } = await openMcp({ args: ['--in-process', '--root', plain.project.root] });
    const { tools } = await client.listTools();
    await client.close();
    expect(tools).toHaveLength(8);
    expect(encode(JSON.stringify(tools)).length).toBeLessThanOrEqual(1300);
  });
});

/** Times, ids and folders differ from run to run, and which server was ready first. */
function withoutChance(text: string, { root }: Project): string {
  const plainText = text.replaceAll(root, 'ROOT').replace(/\S+\/output\/\S+/g, 'SPILL');
  return (
    plainText
      .replace(/[\d.]+ m?s\b/g, 'TIME')
      .replace(/\be\d+\b/g, 'ID')
      .replace(/\bf\d+\.txt/g, 'FILE')
      .replace(/\(\d[^()]*; offset/, '(MANY; offset')
      // Said where the time for a second look was short.
      .replace(/; ignored files not looked into|; files are read as UTF-8[^;)]*/g, '')
      .replace(/\n(?:diagnostics|changed|note).*$/s, '')
  );
}
