import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBroker } from '../../src/index.ts';
import { emendFor } from '../support/emend.ts';
import { connectMcp, textOf } from '../support/mcp-client.ts';
import { linkTypescript, makeProject, type Project } from '../support/project.ts';

type Call = (tool: string, args: Record<string, unknown>) => Promise<string>;

interface Places {
  readonly first: Project;
  readonly second: Project;
  readonly outside: Project;
}

function makePlaces(): Places {
  const strict = { 'tsconfig.json': '{ "compilerOptions": { "strict": true } }' };
  const second = makeProject({ ...strict, 'b.txt': 'beta\n', 'n.ts': 'export const n: number = 1;\n' });
  linkTypescript(second, 'typescript-7');
  return { first: makeProject({ 'a.txt': 'alpha\n' }), second, outside: makeProject({ 'c.txt': 'gamma\n' }) };
}

const HOSTS: readonly (readonly [string, (places: Places) => Promise<Call>])[] = [
  [
    'the library',
    async ({ first, second }) => {
      const broker = await createBroker({ root: [first.root, second.root], diagnosticsBudgetMs: 20_000 });
      onTestFinished(() => broker.close());
      return async (tool, args) => (await broker.call(tool, args)).text;
    },
  ],
  [
    'emend call --root A --root B, and the resident process',
    async ({ first, second }) => {
      const emend = emendFor(first.root);
      const roots = ['--root', first.root, '--root', second.root, '--wait-cold', '20000'];
      return async (tool, args) =>
        (await emend.run(['call', tool, '-', ...roots], { input: JSON.stringify(args) })).stdout;
    },
  ],
  [
    'emend mcp and the roots that the client names',
    async ({ first, second }) => {
      const roots = [first, second].map(({ root }) => ({ uri: pathToFileURL(root).href }));
      const { client } = await connectMcp({
        args: ['--wait-cold', '20000'],
        env: emendFor(first.root).env,
        client: { capabilities: { roots: {} } },
        prepare: (one) => one.setRequestHandler('roots/list', () => ({ roots })),
      });
      return async (name, args) => textOf(await client.callTool({ name, arguments: args }));
    },
  ],
];

describe.each(HOSTS)('several roots in %s', (_host, open) => {
  test('every tool works in each of them, and nowhere else', async () => {
    const places = makePlaces();
    const { first, second, outside } = places;
    const call = await open(places);

    expect(await call('Read', { file_path: 'a.txt' })).toBe('1→alpha');
    expect(await call('Read', { file_path: second.path('b.txt') })).toBe('1→beta');
    const edit = { old_string: 'beta', new_string: 'BETA' };
    expect(await call('Edit', { file_path: second.path('b.txt'), ...edit })).toMatch(/^Edited .*b\.txt/);
    expect(await call('Write', { file_path: second.path('new.txt'), content: 'needle\n' })).toMatch(/^Created /);

    const inBoth = (last: string) => ({
      edits: [
        { file_path: 'a.txt', old_string: 'alpha', new_string: 'needle' },
        { file_path: second.path('b.txt'), old_string: last, new_string: 'gamma' },
      ],
    });
    expect(await call('MultiEdit', inBoth('no such text'))).toMatch(/^Error no_match: edit 2 of 2/);
    expect([first.read('a.txt'), second.read('b.txt')]).toEqual(['alpha\n', 'BETA\n']);
    await call('MultiEdit', inBoth('BETA'));
    expect([first.read('a.txt'), second.read('b.txt')]).toEqual(['needle\n', 'gamma\n']);

    expect(await call('Grep', { pattern: 'needle', path: second.root })).toContain('new.txt');
    expect(await call('Glob', { pattern: '*.txt', path: second.root })).toMatch(/b\.txt/);
    // A search without a path is of the first root, and says so.
    const inFirst = await call('Grep', { pattern: 'needle' });
    expect(inFirst).toContain('a.txt');
    for (const text of [inFirst, await call('Glob', { pattern: '*.txt' })]) {
      expect(text).toContain(`; not searched: ${second.root}, name it with path)`);
    }
    expect(await call('Bash', { command: 'pwd', cwd: second.root })).toContain(second.root);

    const wrong = { file_path: second.path('n.ts'), old_string: '= 1', new_string: "= 'no'" };
    expect(await call('Edit', wrong)).toMatch(/error TS2322/);
    expect(await call('Diagnostics', { file_path: second.path('n.ts') })).toMatch(/TS2322/);

    for (const [tool, args] of [
      ['Read', { file_path: outside.path('c.txt') }],
      ['Edit', { file_path: outside.path('c.txt'), old_string: 'gamma', new_string: 'x' }],
      ['Write', { file_path: outside.path('d.txt'), content: 'x' }],
      ['Grep', { pattern: 'gamma', path: outside.root }],
      ['Glob', { pattern: '*', path: outside.root }],
    ] as const) {
      expect(await call(tool, args)).toMatch(/^Error denied: /);
    }
    expect(outside.read('c.txt')).toBe('gamma\n');
  }, 120_000);
});
