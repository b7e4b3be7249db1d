import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/workspace/clock.ts';
import { createDiskStore } from '../../../src/workspace/disk-store.ts';
import { localRun } from '../../../src/workspace/local-run.ts';
import { createScratch } from '../../../src/workspace/search/disk-scratch.ts';
import { findRipgrep } from '../../../src/workspace/search/ripgrep.ts';
import { changedFiles } from '../../../src/workspace/shell/changed-files.ts';
import { makeProject, type Project } from '../../support/project.ts';

const OLD = 1_700_000_000;

function oldProject(files: Readonly<Record<string, string>>): Project {
  const project = makeProject(files);
  for (const name of Object.keys(files)) utimesSync(project.path(name), OLD, OLD);
  return project;
}

async function look(project: Project, since: number, budgetMs = 60_000) {
  const search = await findRipgrep(localRun, '/');
  if (search.status === 'missing') throw new Error(search.message);
  const ports = { ripgrep: search.ripgrep, store: createDiskStore(), clock: systemClock, createScratch, budgetMs };
  return changedFiles(project.root, since, ports);
}

test('files that were written or made since, newest first, but not ignored ones', async () => {
  const project = oldProject({ '.gitignore': 'dist/\n', 'a.txt': 'a\n', 'b.txt': 'b\n', 'dist/x': '' });
  const since = Date.now();
  writeFileSync(project.path('a.txt'), 'aa\n');
  mkdirSync(project.path('n'));
  writeFileSync(project.path('n/new.txt'), 'n\n');
  writeFileSync(project.path('dist/x'), 'x\n');
  utimesSync(project.path('n/new.txt'), since / 1000 + 5, since / 1000 + 5);
  expect(await look(project, since)).toEqual({ status: 'known', paths: ['n/new.txt', 'a.txt'], isAll: true });
});

test('nothing where nothing was', async () => {
  const project = oldProject({ 'a.txt': 'a\n' });
  expect(await look(project, Date.now())).toEqual({ status: 'known', paths: [], isAll: true });
});

test('of very many some, and that there are more', async () => {
  const project = makeProject(Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`f${n}`, ''])));
  const changed = await look(project, OLD * 1000);
  expect(changed).toMatchObject({ status: 'known', isAll: false });
  expect(changed.status === 'known' && changed.paths.length).toBe(50);
});

test('a look that takes too long knows nothing', async () => {
  const project = oldProject({ 'a.txt': 'a\n' });
  expect(await look(project, Date.now(), 0)).toEqual({ status: 'unknown' });
});
