import { expect, onTestFinished, test } from 'vitest';
import { createBroker } from '../../src/index.ts';
import { linkPackage } from '../support/nav-projects.ts';
import { makeProject } from '../support/project.ts';

const CONFIG = '{"include":["src"],"compilerOptions":{"strict":false,"types":[]}}';

test.each(['typescript-7', 'typescript', 'typescript-5'])(
  'an error in a file that no project takes in is told with the options that it was judged by: %s',
  { timeout: 120_000 },
  async (alias) => {
    const project = makeProject({
      'tsconfig.json': CONFIG,
      'src/in.ts': 'export const a: number = 1;\n',
      'tools/out.ts': 'export const b: number = 1;\n',
    });
    linkPackage(project.root, alias);
    const broker = await createBroker({ root: project.root, diagnosticsBudgetMs: 60_000 });
    onTestFinished(() => broker.close());
    const breaks = (file: string) =>
      broker.call('Edit', { file_path: file, old_string: 'number = 1', new_string: "number = 'x'" });

    const outside = await breaks('tools/out.ts');
    expect(outside.receipt.diagnostics).toMatchObject({ state: 'fresh', inNoProject: ['tools/out.ts'] });
    expect(outside.text).toContain('note: no project takes in tools/out.ts: judged by default options');
    const inside = await breaks('src/in.ts');
    expect(inside.receipt.diagnostics?.introduced.map(({ code }) => code)).toEqual(['TS2322']);
    expect(inside.receipt.diagnostics).not.toHaveProperty('inNoProject');
    expect(inside.text).not.toContain('no project');

    // Taken in from now on.
    await broker.call('Read', { file_path: 'tsconfig.json' });
    await broker.call('Write', { file_path: 'tsconfig.json', content: CONFIG.replace('"src"', '"src","tools"') });
    const taken = await broker.call('Edit', {
      file_path: 'tools/out.ts',
      old_string: "number = 'x'",
      new_string: 'string = 2',
    });
    expect(taken.receipt.diagnostics?.introduced.map(({ code }) => code)).toEqual(['TS2322']);
    expect(taken.text).not.toContain('no project');
  },
);

test.each(['typescript-7', 'typescript', 'typescript-5'])(
  'an edit that breaks a file which no project takes in tells of it, and of its being mended: %s',
  { timeout: 120_000 },
  async (alias) => {
    const project = makeProject({
      'tsconfig.json': CONFIG,
      'src/in.ts': 'export const inner = 1;\n',
      'tests/in.test.ts': "import { inner } from '../src/in';\nexport const twice = inner * 2;\n",
    });
    linkPackage(project.root, alias);
    const broker = await createBroker({ root: project.root, diagnosticsBudgetMs: 60_000 });
    onTestFinished(() => broker.close());
    const rename = (from: string, to: string) =>
      broker.call('Edit', { file_path: 'src/in.ts', old_string: from, new_string: to });
    const broken = await rename('inner', 'other');
    const error = { path: 'tests/in.test.ts', code: 'TS2305' };
    expect(broken.receipt.diagnostics).toMatchObject({ introduced: [error], unchecked: 0 });
    const mended = await rename('other', 'inner');
    expect(mended.receipt.diagnostics).toMatchObject({ introduced: [], fixed: [error] });
  },
);
