import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { emendFor } from '../support/emend.ts';
import { connectMcp, textOf } from '../support/mcp-client.ts';
import { linkTypescript, makeProject } from '../support/project.ts';

// Language servers are started.
vi.setConfig({ testTimeout: 120_000 });

const tsconfig = (strict: boolean) =>
  JSON.stringify({ compilerOptions: { strict, noEmit: true, types: [] }, include: ['*.ts'] });
const TEXT = 'export function twice(n) {\n  return n + n;\n}\n';

/** Where the programs work that were started with this folder as their home. */
function foldersOfServers(home: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`HOME=${home}`);
      const isServer = readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--lsp');
      return isOurs && isServer ? [readlinkSync(`/proc/${pid}/cwd`)] : [];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}

test.each([
  ['in the process of the client alone', ['--in-process']],
  ['in the resident process', []],
])(
  'a home folder as the only root is no project: each file is judged by its own repository, %s',
  async (_where, args) => {
    const home = makeProject({
      'a/.git/HEAD': 'ref: refs/heads/main\n',
      'a/tsconfig.json': tsconfig(true),
      'a/x.ts': TEXT,
      'b/.git/HEAD': 'ref: refs/heads/main\n',
      'b/tsconfig.json': tsconfig(false),
      'b/y.ts': TEXT,
      'c/.git/HEAD': 'ref: refs/heads/main\n',
      'c/deep/z.ts': "export const n: number = 'a';\n",
      'notes.txt': 'twice\n',
    });
    linkTypescript({ ...home, path: (name) => home.path(`a/${name}`) }, 'typescript-7');
    mkdirSync(home.path('.state'));
    const emend = emendFor(home.root, home.path('.state'));
    const { client } = await connectMcp({
      args,
      env: { ...emend.env, HOME: home.root },
      client: { capabilities: { roots: {} } },
      prepare: (one) =>
        one.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(home.root).href, name: 'home' }] })),
    });
    const call = async (name: string, given: Record<string, unknown>) =>
      textOf(await client.callTool({ name, arguments: given }));
    const state = (file: string) => call('Diagnostics', { file_path: home.path(file), wait_ms: 60_000 });
    expect(await state('a/x.ts')).toMatch(/^a\/x\.ts: 1 found\n.*7006/);
    expect(await state('b/y.ts')).toBe('b/y.ts: no errors (1 below error; severity: hint shows them)');
    expect(await state('c/deep/z.ts')).toMatch(/^c\/deep\/z\.ts: 1 found\n.*2322/);
    expect([...foldersOfServers(home.root)].sort()).toEqual(['a', 'b', 'c'].map(home.path));
    for (const [tool, given] of [
      ['Grep', { pattern: 'twice' }],
      ['Glob', { pattern: '**/*.ts' }],
    ] as const) {
      expect(await call(tool, given)).toMatch(/^Error invalid_arguments: the root is \S+: .* Name a path in it\.$/);
      expect(await call(tool, { ...given, path: 'a' })).toMatch(/^a\/x\.ts\n/);
    }
  },
);
