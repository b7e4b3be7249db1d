import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { emendFor } from '../support/emend.ts';
import { makeProject, type Project } from '../support/project.ts';

const repository = join(import.meta.dirname, '../..');
const page = readFileSync(join(repository, 'docs/headless.md'), 'utf8');

function block(language: string, holding: string): string {
  const blocks = [...page.matchAll(/```(\w*)\n([\s\S]*?)```/g)];
  const found = blocks.find(([, name, code]) => name === language && code?.includes(holding));
  if (!found?.[2]) throw new Error(`the page has no ${language} block with ${holding}`);
  return found[2];
}

function projectWithEmend(): Project {
  const project = makeProject({ 'src/a.ts': 'export const limit = 10;\n' });
  mkdirSync(project.path('node_modules'));
  symlinkSync(repository, project.path('node_modules/emend'));
  symlinkSync(join(repository, 'node_modules/ai'), project.path('node_modules/ai'));
  return project;
}

test('the commands of the page run as they stand', async () => {
  const project = makeProject({ 'src/a.ts': 'export const limit = 10;\n' });
  const emend = emendFor(project.root);
  const bin = join(repository, 'dist/bin/cli.js');
  writeFileSync(project.path('emend'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 });
  const { stdout } = await execa('sh', ['-e', '-c', block('sh', 'emend call Edit -').replaceAll('DIR', project.root)], {
    cwd: '/',
    env: { ...emend.env, PATH: `${project.root}:${process.env.PATH}` },
  });
  expect(stdout).toMatch(/^Edited src\/a\.ts \(\+1 -1\) L1 \[e1\]/);
  expect(stdout).toContain('src/a.ts: clean');
  expect(stdout).toMatch(/\nrunning: .*sessions run-1\nstopped: /);
  expect(project.read('src/a.ts')).toBe('export const limit = 20;\n');
});

test('the tool loop of the page runs as it stands', async () => {
  const project = projectWithEmend();
  writeFileSync(project.path('loop.mjs'), block('ts', 'generateText').replace('DIR', project.root));
  const { stdout } = await execa(process.execPath, ['loop.mjs'], { cwd: project.root });
  expect(stdout).toMatch(/^1→export const limit = 10;\nEdited src\/a\.ts \(\+1 -1\) L1 \[e2\]/);
  expect(project.read('src/a.ts')).toBe('export const limit = 20;\n');
});

test('the executor of the page runs, with a shell for the container', async () => {
  const project = projectWithEmend();
  const program = block('ts', "'docker', 'exec'")
    .replace("['docker', 'exec', '-i', 'CONTAINER']", "['env']")
    .replace("'/app'", JSON.stringify(project.root));
  writeFileSync(project.path('executor.mjs'), program);
  const { stdout } = await execa(process.execPath, ['executor.mjs'], { cwd: project.root });
  expect(stdout).toContain('Linux');
});
