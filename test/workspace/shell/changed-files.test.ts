import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/workspace/clock.ts';
import { createDiskStore } from '../../../src/workspace/disk-store.ts';
import { localRun } from '../../../src/workspace/local-run.ts';
import { createScratch } from '../../../src/workspace/search/disk-scratch.ts';
import { findRipgrep } from '../../../src/workspace/search/ripgrep.ts';
import { changedFiles, TICK_MS } from '../../../src/workspace/shell/changed-files.ts';
import { currentListing, type FileListing } from '../../../src/workspace/shell/file-listing.ts';
import { makeProject, type Project } from '../../support/project.ts';

const OLD = 1_700_000_000;

function oldProject(files: Readonly<Record<string, string>>): Project {
  const project = makeProject(files);
  for (const name of Object.keys(files)) utimesSync(project.path(name), OLD, OLD);
  return project;
}

async function portsOf(budgetMs: number) {
  const search = await findRipgrep(localRun, '/');
  if (search.status === 'missing') throw new Error(search.message);
  return { ripgrep: search.ripgrep, store: createDiskStore(), clock: systemClock, createScratch, budgetMs };
}

async function look(
  project: Project,
  since: number,
  more: { budgetMs?: number; before?: FileListing | undefined } = {},
) {
  const { budgetMs = 60_000, before } = more;
  return (await changedFiles(project.root, { since, before }, await portsOf(budgetMs))).changed;
}

/** What a change is seen to be, with the files as they were before it. */
async function seen(project: Project, change: () => void) {
  await untilOld();
  const before = await currentListing(project.root, undefined, await portsOf(60_000));
  const since = await moment();
  change();
  const { changed, listing } = await changedFiles(project.root, { since, before }, await portsOf(60_000));
  // What was seen last stands for a new look, as long as it holds.
  expect(await currentListing(project.root, listing, await portsOf(60_000))).toBe(listing);
  return changed;
}

/** Now, a tick of the files' clock ago: nothing that follows has an earlier time. */
async function moment(): Promise<number> {
  const since = Date.now() + 1;
  await new Promise((resolve) => setTimeout(resolve, TICK_MS + 1));
  return since;
}

/** Change times can not be set: what a test has made has to be older than what it does then. */
function untilOld(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}

test('files that were written or made since, newest first, but not ignored ones', async () => {
  const project = oldProject({ '.gitignore': 'dist/\n', 'a.txt': 'a\n', 'b.txt': 'b\n', 'dist/x': '' });
  await untilOld();
  const since = await moment();
  writeFileSync(project.path('a.txt'), 'aa\n');
  mkdirSync(project.path('n'));
  writeFileSync(project.path('n/new.txt'), 'n\n');
  writeFileSync(project.path('dist/x'), 'x\n');
  utimesSync(project.path('n/new.txt'), since / 1000 + 5, since / 1000 + 5);
  expect(await look(project, since)).toEqual({
    status: 'known',
    paths: ['n/new.txt', 'a.txt'],
    gone: 'unknown',
    isAll: true,
  });
});

test('nothing where nothing was', async () => {
  const project = oldProject({ 'a.txt': 'a\n' });
  const none = { status: 'known', paths: [], isAll: true };
  expect(await seen(project, () => {})).toEqual({ ...none, gone: [] });
  expect(await look(project, Date.now() + 1000)).toEqual({ ...none, gone: 'unknown' });
});

test('of very many some, and that there are more', async () => {
  const project = makeProject(Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`f${n}`, ''])));
  const changed = await look(project, OLD * 1000);
  expect(changed).toMatchObject({ status: 'known', isAll: false });
  expect(changed.status === 'known' && changed.paths.length).toBe(50);
});

test('a look that takes too long knows nothing', async () => {
  const project = oldProject({ 'a.txt': 'a\n' });
  expect(await look(project, Date.now(), { budgetMs: 0 })).toEqual({ status: 'unknown' });
});

const FILES = { '.gitignore': 'dist/\n', 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/deep/c.txt': 'c\n', 'dist/x': '' };

test.each<[string, (path: (name: string) => string) => void, readonly string[], readonly string[]]>([
  ['a file that is gone', (path) => rmSync(path('src/b.txt')), [], ['src/b.txt']],
  ['a folder that is gone', (path) => rmSync(path('src'), { recursive: true }), [], ['src/b.txt', 'src/deep/c.txt']],
  ['another name', (path) => renameSync(path('a.txt'), path('src/z.txt')), ['src/z.txt'], ['a.txt']],
  [
    'a folder with another name',
    (path) => renameSync(path('src'), path('lib')),
    ['lib/b.txt', 'lib/deep/c.txt'],
    ['src/b.txt', 'src/deep/c.txt'],
  ],
  [
    'a time that was set back',
    (path) => {
      appendFileSync(path('a.txt'), 'more\n');
      utimesSync(path('a.txt'), OLD - 1000, OLD - 1000);
    },
    ['a.txt'],
    [],
  ],
  [
    'a new file with an old time',
    (path) => {
      writeFileSync(path('src/old.txt'), '');
      utimesSync(path('src/old.txt'), OLD, OLD);
    },
    ['src/old.txt'],
    [],
  ],
  ['what an ignore file hides now', (path) => writeFileSync(path('.gitignore'), 'dist/\nsrc/\n'), ['.gitignore'], []],
  ['what an ignore file hides no more', (path) => writeFileSync(path('.gitignore'), '\n'), ['.gitignore'], []],
  ['ignored files', (path) => rmSync(path('dist'), { recursive: true }), [], []],
])('%s', async (_what, change, paths, gone) => {
  const project = oldProject(FILES);
  const changed = await seen(project, () => change(project.path));
  expect(changed).toMatchObject({ status: 'known', gone, isAll: true });
  expect(changed.status === 'known' && [...changed.paths].sort()).toEqual(paths);
});

test('what was seen last is listed anew once a folder has got or lost a name', async () => {
  const project = oldProject(FILES);
  const ports = await portsOf(60_000);
  const first = await currentListing(project.root, undefined, ports);
  await untilOld();
  rmSync(project.path('src/deep/c.txt'));
  const next = await currentListing(project.root, first, ports);
  expect(next).not.toBe(first);
  expect([...(next?.paths ?? [])].sort()).toEqual(['.gitignore', 'a.txt', 'src/b.txt']);
});
