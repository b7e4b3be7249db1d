import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { makeProject } from '../support/project.ts';

const repository = join(import.meta.dirname, '../..');

test('the program of the page shows what an edit broke in a file that nobody opened', async () => {
  const page = readFileSync(join(repository, 'docs/diagnostics.md'), 'utf8');
  const project = makeProject({
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }',
    'src/prices.ts': 'export function half(price: number): number {\n  return price / 2;\n}\n',
    'src/use.ts': "import { half } from './prices';\nexport const two = half(4);\n",
  });
  mkdirSync(project.path('node_modules'));
  symlinkSync(repository, project.path('node_modules/emend'));
  writeFileSync(project.path('program.mjs'), (/```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '').replace('DIR', '.'));
  const { stdout } = await execa(process.execPath, ['program.mjs'], { cwd: project.root });
  expect(stdout).toMatch(/src\/prices\.ts (TS)?2362/);
  expect(stdout).toMatch(/src\/use\.ts (TS)?2345/);
});
