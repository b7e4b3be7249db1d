import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { makeProject } from './support/project.ts';

const repository = join(import.meta.dirname, '..');
const readme = readFileSync(join(repository, 'README.md'), 'utf8');

function block(language: string, holding: string): string {
  const blocks = [...readme.matchAll(/```(\w*)\n([\s\S]*?)```/g)];
  const found = blocks.find(([, name, code]) => name === language && code?.includes(holding));
  if (!found?.[2]) throw new Error(`README has no ${language} block with ${holding}`);
  return found[2];
}

test('the program of the README runs as it stands', async () => {
  const project = makeProject({ 'src/a.ts': 'export const limit = 10;\n' });
  mkdirSync(project.path('node_modules'));
  symlinkSync(repository, project.path('node_modules/emend'));
  const program = block('ts', 'createBroker').replace('/path/to/project', project.root);
  writeFileSync(project.path('program.mjs'), program);
  const { stdout } = await execa(process.execPath, ['program.mjs'], { cwd: project.root });
  expect(stdout).toMatch(/^true Edited src\/a\.ts/);
  expect(project.read('src/a.ts')).toBe('export const limit = 20;\n');
});

test('the shell commands of the README run as they stand', async () => {
  const project = makeProject({ 'src/a.ts': 'export const limit = 10;\n' });
  const cli = join(repository, 'dist/hosts/cli.js');
  writeFileSync(project.path('emend'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, { mode: 0o755 });
  const script = block('sh', 'emend call').replaceAll('DIR', project.root);
  const { stdout } = await execa('sh', ['-e', '-c', script], {
    cwd: project.root,
    env: { PATH: `${project.root}:${process.env.PATH}` },
  });
  expect(stdout).toContain('Edited src/a.ts (+1 -1) L1');
  expect(stdout).toMatch(/ok +typescript-native 7/);
});

test('the transcripts of the README are what the demo prints, times aside', async () => {
  const { stdout } = await execa(process.execPath, [join(repository, 'dist/hosts/cli.js'), 'demo']);
  const timeless = (text: string): string => text.replace(/\(\d+ ms\)/g, '(N ms)');
  const transcripts = [...readme.matchAll(/```\n(Edit [\s\S]*?)\n```/g)].map(([, text]) => text ?? '');
  expect(transcripts).toHaveLength(2);
  for (const transcript of transcripts) expect(timeless(stdout)).toContain(timeless(transcript));
});
