import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { globTool } from '../../../src/tools/glob.ts';
import { grepTool } from '../../../src/tools/grep.ts';
import { systemClock } from '../../../src/workspace/clock.ts';
import { createDiskStore } from '../../../src/workspace/disk-store.ts';
import { localRun } from '../../../src/workspace/local-run.ts';
import type { Run } from '../../../src/workspace/run.ts';
import { createScratch } from '../../../src/workspace/search/disk-scratch.ts';
import { fileFilter } from '../../../src/workspace/search/file-filter.ts';
import { glob } from '../../../src/workspace/search/glob.ts';
import { grep } from '../../../src/workspace/search/grep.ts';
import { findRipgrep, lookForRipgrep } from '../../../src/workspace/search/ripgrep.ts';
import { processes } from '../../support/processes.ts';
import { makeProject, type Project } from '../../support/project.ts';
import { openToolRoom } from '../../support/tool-room.ts';

async function ports() {
  const search = await findRipgrep(localRun, '/');
  if (search.status === 'missing') throw new Error(search.message);
  return { ripgrep: search.ripgrep, store: createDiskStore(), clock: systemClock, createScratch };
}

const request = (project: Project, pattern: string) => ({
  pattern,
  place: { folder: project.root, target: './' },
  filter: fileFilter([]),
  mode: 'content' as const,
  before: 0,
  after: 0,
  switches: new Set<never>(),
  limit: 250,
  offset: 0,
  maxBytes: 50_000,
  budgetMs: 20_000,
});

/** Enough files that a search of them takes a while. */
function manyFiles(): Project {
  const project = makeProject({});
  for (let folder = 0; folder < 60; folder++) {
    mkdirSync(project.path(`d${folder}`));
    for (let file = 0; file < 100; file++) {
      writeFileSync(project.path(`d${folder}/f${file}.txt`), `${'words and more words\n'.repeat(50)}`);
    }
  }
  return project;
}

describe('ripgrep is looked for', () => {
  test.each([
    ['the first that runs', ['/nowhere/rg', 'true', 'rg'], 'true'],
    ['one that does not run is passed over', ['false', 'true'], 'true'],
  ])('%s', async (_what, commands, expected) => {
    const search = await lookForRipgrep(localRun, '/', commands);
    expect(search.status === 'found' && search.ripgrep.command).toBe(expected);
  });

  test('where none runs the reason says what was tried and what to install', async () => {
    const search = await lookForRipgrep(localRun, '/', ['/nowhere/rg', 'nosuchrg']);
    expect(search).toMatchObject({ status: 'missing' });
    expect(search.status === 'missing' && search.message).toMatch(
      /^no ripgrep runs here \(\/nowhere\/rg: .*; nosuchrg: .*\)\. Install it .*, or search with Bash\.$/,
    );
  });

  test('without one Grep is an error, never "none"', async () => {
    const without: Run = (argv, options) => localRun(/\brg$/.test(argv[0]) ? ['/nowhere/rg'] : argv, options);
    const room = await openToolRoom({ 'a.txt': 'root\n' }, () => ({ run: without }));
    onTestFinished(() => room.close());
    const result = await room.call(grepTool, { pattern: 'root' });
    expect(result).toMatchObject({ ok: false, receipt: { code: 'unavailable' } });
  });
});

describe('a search that can not go to its end', () => {
  /** A ripgrep that prints one match, then says something and ends with 2; with one thread it may work. */
  function brokenRipgrep(stderr: string, alone: 'works' | 'fails'): { project: Project; run: Run } {
    const project = makeProject({});
    const record = (path: string) =>
      `{"type":"begin","data":{"path":{"text":"./${path}"}}}\n{"type":"match","data":{"path":{"text":"./${path}"},"lines":{"text":"hit\\\\n"},"line_number":1,"absolute_offset":0,"submatches":[{"match":{"text":"hit"},"start":0,"end":3}]}}\n{"type":"end","data":{"path":{"text":"./${path}"},"binary_offset":null,"stats":{"matched_lines":1,"matches":1}}}`;
    const script = [
      '#!/bin/sh',
      'case "$*" in *--version*) exit 0;; esac',
      `echo '${record('a.txt')}'`,
      `case "$*" in *--threads=1*) ${alone === 'works' ? `echo '${record('b.txt')}'; exit 0` : ':'};; esac`,
      `echo '${stderr}' >&2; exit 2`,
    ].join('\n');
    writeFileSync(project.path('rg'), script);
    chmodSync(project.path('rg'), 0o755);
    return { project, run: (argv, options) => localRun([project.path('rg'), ...argv.slice(1)], options) };
  }

  test.each([
    ['works', ['a.txt', 'b.txt'], false],
    ['fails', ['a.txt'], true],
  ] as const)('for want of threads is tried once more with one, which %s', async (alone, paths, isExhausted) => {
    const { project, run } = brokenRipgrep('Resource temporarily unavailable', alone);
    const search = await lookForRipgrep(run, project.root, ['rg']);
    if (search.status === 'missing') throw new Error(search.message);
    const findings = await grep(request(project, 'hit'), { ...(await ports()), ripgrep: search.ripgrep });
    expect(findings.files.map(({ path }) => path)).toEqual(paths);
    expect(findings.complaints.isExhausted).toBe(isExhausted);
  });

  test('keeps what was found beside an error that is not known', async () => {
    const { project, run } = brokenRipgrep('rg: something odd', 'fails');
    const search = await lookForRipgrep(run, project.root, ['rg']);
    if (search.status === 'missing') throw new Error(search.message);
    const findings = await grep(request(project, 'hit'), { ...(await ports()), ripgrep: search.ripgrep });
    expect(findings).toMatchObject({ shown: 1, complaints: { other: 'something odd' } });
  });

  test.each([
    ['was killed', 'kill -9 $$', 'the search was ended by SIGKILL'],
    ['failed in an odd way', 'exit 101', 'the search failed (exit 101)'],
  ])('that %s is never called whole', async (_what, end, why) => {
    const { project } = brokenRipgrep('', 'fails');
    const path = project.path('other');
    writeFileSync(path, `#!/bin/sh\ncase "$*" in *--version*) exit 0;; esac\nprintf './a.txt\\0'; ${end}\n`);
    chmodSync(path, 0o755);
    const run: Run = (argv, options) => localRun([path, ...argv.slice(1)], options);
    const { call, close } = await openToolRoom({ 'a.txt': 'hit\n' }, () => ({ run }));
    onTestFinished(close);
    const grepped = await call(grepTool, { pattern: 'hit' });
    expect(grepped).toMatchObject({ ok: false, receipt: { code: 'io' } });
    expect(grepped.text).toContain(why);
    const globbed = await call(globTool, { pattern: '**' });
    expect(globbed.text).toBe(`a.txt\n(1 of 1; incomplete: ${why})`);
    expect(globbed.receipt).toMatchObject({ complete: false });
  });

  test('is stopped when its time is up, with what there is, and says so', async () => {
    const project = manyFiles();
    const findings = await grep({ ...request(project, 'absent'), budgetMs: 1 }, await ports());
    expect(findings).toMatchObject({ scan: 'budget', searched: undefined });
    const listed = await glob(
      { folder: project.root, filter: fileFilter([]), ignored: 'out', limit: 100, budgetMs: 1 },
      await ports(),
    );
    expect(listed.scan).toBe('unordered');
  });

  test('is cancelled at once, and nothing of it is left', async () => {
    const project = manyFiles();
    const abort = new AbortController();
    const search = grep(request(project, 'w.*o.*r.*d.*s.*absent'), await ports(), abort.signal);
    setTimeout(() => abort.abort(), 20);
    const startedAt = performance.now();
    await expect(search).rejects.toThrow();
    expect(performance.now() - startedAt).toBeLessThan(1500);
    expect(processes().filter(({ command }) => command.includes('w.*o.*r.*d.*s'))).toEqual([]);
  });
});

test('a search of all of the machine is refused unless a path is named', async () => {
  const room = await openToolRoom({}, () => ({ root: '/' }));
  onTestFinished(() => room.close());
  const result = await room.call(grepTool, { pattern: 'x' });
  expect(result).toMatchObject({ ok: false, receipt: { code: 'invalid_arguments' } });
  expect(result.text).toContain('Name a path');
  expect((await room.call(grepTool, { pattern: 'root', path: join('/', 'etc/passwd') })).ok).toBe(true);
});
