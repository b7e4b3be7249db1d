import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { makeProject } from '../support/project.ts';

const repository = join(import.meta.dirname, '../..');
const PAGES = ['README.md', ...readdirSync(join(repository, 'docs')).map((name) => `docs/${name}`)];
const BLOCKS = PAGES.filter((page) => page.endsWith('.md')).flatMap((page) =>
  [...readFileSync(join(repository, page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code], at) => ({
    name: `${basename(page, '.md')}-${at + 1}.ts`,
    code: code ?? '',
  })),
);

test.each(['nodenext', 'preserve'])(
  'the programs of all pages pass a strict compiler, as modules of %s',
  async (module) => {
    const project = makeProject({ 'package.json': '{"type":"module"}\n' });
    mkdirSync(project.path('node_modules'));
    symlinkSync(repository, project.path('node_modules/emend'));
    for (const name of ['@types', 'ai'])
      symlinkSync(join(repository, 'node_modules', name), project.path(`node_modules/${name}`));
    const compilerOptions = {
      module,
      target: 'es2023',
      strict: true,
      types: ['node'],
      noEmit: true,
      skipLibCheck: true,
    };
    project.write('tsconfig.json', JSON.stringify({ compilerOptions }));
    for (const { name, code } of BLOCKS) project.write(name, code);
    const tsc = join(repository, 'node_modules/typescript-7/bin/tsc');
    const { stdout } = await execa(process.execPath, [tsc], { cwd: project.root, reject: false });
    expect(BLOCKS.length).toBeGreaterThan(4);
    expect(stdout).toBe('');
  },
);
