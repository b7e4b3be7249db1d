import { describe, expect, test } from 'vitest';
import { doctorPage } from '../../src/hosts/doctor-page.ts';
import type { SurveyedServer } from '../../src/workspace/language-server/survey-servers.ts';

const found = (name: string, language: string, more: object = {}): SurveyedServer => ({
  status: 'found',
  name,
  languages: [language],
  isChecker: false,
  root: '/p',
  foundIn: 'bundled',
  argv: ['x'],
  version: '1.0.0',
  state: { status: 'stopped' },
  verified: '1.0.0',
  ...more,
});
const missing = (name: string, language: string): SurveyedServer => ({
  status: 'missing',
  name,
  languages: [language],
  reason: `${name} is not installed: get ${name}`,
  install: `get ${name}`,
});
const SERVERS = [
  found('pyright', 'python'),
  found('gopls', 'go', { version: null }),
  found('lint', 'rust', { isChecker: true }),
  missing('rust-analyzer', 'rust'),
  missing('json', 'json'),
  missing('zls', 'zig'),
];
const page = (here: Readonly<Record<string, number>>, of: 'file' | 'root' = 'root') =>
  doctorPage({ servers: SERVERS, here: new Map(Object.entries(here)), of });

describe('the page of emend doctor', () => {
  test('has the servers of what is here at length, others by name, and nothing of what is neither here nor installed', () => {
    expect(page({ python: 3 })).toEqual({
      lines: [
        'ok      pyright 1.0.0 (bundled): python',
        '        root /p, tried with 1.0.0',
        'ready, with no file here: gopls, lint 1.0.0',
      ],
      isWanting: false,
    });
  });

  test('says of a server that was never tried, or whose version is not known, that it is so', () => {
    const servers = [found('gopls', 'go', { version: null, verified: 'never' })];
    expect(doctorPage({ servers, here: new Map([['go', 1]]), of: 'root' }).lines).toEqual([
      'unsure  gopls (its version is not known before it starts) (bundled): go',
      '        root /p, never tried with emend',
    ]);
  });

  test.each([
    [{ python: 1 }, 'root', false],
    [{}, 'root', false],
    [{ rust: 1 }, 'root', true],
    [{ perl: 1 }, 'root', true],
    [{ json: 9, markdown: 4, plaintext: 2 }, 'root', false],
    [{ json: 1 }, 'file', true],
    [{ python: 1 }, 'file', false],
    [{ plaintext: 1 }, 'file', true],
  ] as const)('with %j of a %s, something that is wanted is missing: %s', (here, of, isWanting) => {
    expect(page(here, of).isWanting).toBe(isWanting);
  });

  test('says what to install for each language without a server, and does not take a checker for one', () => {
    expect(page({ rust: 2, perl: 1, json: 9, markdown: 4 }).lines).toEqual([
      'ok      lint 1.0.0 (bundled): rust',
      '        root /p, tried with 1.0.0',
      'missing perl (1 file): no server of the catalogue speaks it',
      'missing rust (2 files)',
      '        rust-analyzer: rust-analyzer is not installed: get rust-analyzer',
      'no server for json (9), markdown (4): few people have one',
      'ready, with no file here: pyright 1.0.0, gopls',
    ]);
  });
});
