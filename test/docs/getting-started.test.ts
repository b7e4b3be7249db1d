import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { emendFor } from '../support/emend.ts';
import { makeProject, type Project } from '../support/project.ts';

const repository = join(import.meta.dirname, '../..');
const page = readFileSync(join(repository, 'docs/getting-started.md'), 'utf8');
const timeless = (text: string): string => text.replace(/\(\d+ ms\)/g, '(N ms)');

/** The commands of the page in their order, each with what it prints where that is shown. */
const STEPS = [...page.matchAll(/```sh\n([\s\S]*?)```(?:\n\n```\n([\s\S]*?)\n```)?/g)].map(([, command, printed]) => ({
  command: command ?? '',
  printed,
}));

async function walk(project: Project): Promise<void> {
  const emend = emendFor(project.root);
  const bin = join(repository, 'dist/bin/cli.js');
  mkdirSync(project.path('bin'));
  writeFileSync(project.path('bin/emend'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 });
  for (const { command, printed } of STEPS) {
    const { stdout, exitCode } = await execa('sh', ['-e', '-c', command], {
      cwd: project.root,
      env: { ...emend.env, PATH: `${project.path('bin')}:${process.env.PATH}` },
      reject: false,
    });
    if (printed !== undefined) expect(timeless(stdout)).toBe(timeless(printed));
    if (command.startsWith('emend doctor')) expect(stdout).toMatch(/^ok +typescript-native 7/m);
    expect(exitCode).toBe(printed?.startsWith('Error') ? 1 : 0);
  }
}

test('the first edit, step by step, prints what the page shows', async () => {
  const project = makeProject({});
  await walk(project);
  expect(STEPS.filter(({ printed }) => printed !== undefined)).toHaveLength(3);
  expect(project.read('src/limit.ts')).toContain('  return count >= limit;\n');
});

test('the program passes a strict compiler, and runs', async () => {
  const project = makeProject({ 'src/limit.ts': 'export const limit = 10;\n', 'package.json': '{"type":"module"}\n' });
  mkdirSync(project.path('node_modules'));
  symlinkSync(repository, project.path('node_modules/emend'));
  symlinkSync(join(repository, 'node_modules/@types'), project.path('node_modules/@types'));
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, types: ['node'], outDir: 'out' };
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  project.write('program.ts', /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
  execFileSync(process.execPath, [join(repository, 'node_modules/typescript-7/bin/tsc')], { cwd: project.root });
  const { stdout } = await execa(process.execPath, ['out/program.js'], { cwd: project.root });
  expect(stdout).toMatch(/^Edited src\/limit\.ts \(\+1 -1\) L1 \[e1\][\s\S]*\ntrue (fresh|pending)$/);
  expect(project.read('src/limit.ts')).toBe('export const limit = 20;\n');
});
