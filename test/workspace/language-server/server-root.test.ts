import { describe, expect, test } from 'vitest';
import { shippedServerDefinitions } from '../../../src/workspace/language-server/disk-server-definitions.ts';
import type { ServerMachine } from '../../../src/workspace/language-server/server-machine.ts';
import { serverRoot } from '../../../src/workspace/language-server/server-root.ts';

function machineWith(files: Readonly<Record<string, string>>): ServerMachine {
  return {
    readText: async (path) => files[path],
    exists: async (path) => Object.keys(files).some((file) => file === path || file.startsWith(`${path}/`)),
    stamp: async () => undefined,
    names: async () => [],
    realPath: async (path) => path,
    onPath: async () => undefined,
    node: '/bin/node',
    platform: 'linux',
    arch: 'x64',
    ownFolder: '/emend',
    serversFolder: '/nowhere',
    tooWide: ['/', '/home/me'],
  };
}

const PLAIN = '{}';
const WORKSPACES = '{ "workspaces": ["packages/*"] }';

describe('serverRoot', () => {
  test.each([
    [
      'TypeScript: the outermost workspace',
      'typescript-native',
      '/r/packages/a/x.ts',
      '/r',
      { '/r/package.json': WORKSPACES, '/r/packages/a/package.json': PLAIN, '/r/packages/a/tsconfig.json': PLAIN },
    ],
    [
      'TypeScript: a lock file above a tsconfig',
      'typescript-native',
      '/r/src/x.ts',
      '/r',
      { '/r/yarn.lock': '', '/r/src/tsconfig.json': PLAIN },
    ],
    [
      'TypeScript: a project in a subfolder',
      'typescript-native',
      '/r/web/src/x.ts',
      '/r/web',
      { '/r/web/tsconfig.json': PLAIN },
    ],
    ['TypeScript: no marker at all', 'typescript-native', '/r/x.ts', '/r', {}],
    [
      'Python: the nearest with settings for pyright',
      'pyright',
      '/r/py/a/x.py',
      '/r/py',
      { '/r/py/pyproject.toml': '[tool.pyright]\n', '/r/.git/HEAD': '' },
    ],
    [
      'Python: a pyproject without them does not count',
      'pyright',
      '/r/py/x.py',
      '/r',
      { '/r/py/pyproject.toml': '[tool.ruff]\n', '/r/.git/HEAD': '' },
    ],
    ['Go: a file in no module has no root', 'gopls', '/r/x.go', undefined, {}],
    ['Rust: a file in no crate has no root', 'rust-analyzer', '/r/x.rs', undefined, { '/r/.git/HEAD': '' }],
    ['not beyond the boundary', 'typescript-native', '/r/x.ts', '/r', { '/package.json': WORKSPACES }],
    [
      'a file outside, in a project',
      'typescript-native',
      '/other/p/x.ts',
      '/other/p',
      { '/other/p/tsconfig.json': PLAIN },
    ],
    ['a file outside, in none', 'typescript-native', '/other/x.ts', undefined, {}],
  ] as const)('%s', async (_what, name, path, root, files) => {
    expect(await rootOf(name, { path, boundary: '/r' }, files)).toBe(root);
  });

  test.each(['/', '/home/me'])('%s is no project, a project or a repository below it is', async (boundary) => {
    const below = `${boundary === '/' ? '' : boundary}/p`;
    for (const [name, path] of [
      ['pyright', `${below}/x.py`],
      ['typescript-native', `${below}/src/x.ts`],
    ] as const) {
      expect(await rootOf(name, { path, boundary }, {})).toBeUndefined();
      expect(await rootOf(name, { path, boundary }, { [`${below}/.git/HEAD`]: '' })).toBe(below);
    }
  });
});

async function rootOf(
  name: string,
  file: { readonly path: string; readonly boundary: string },
  files: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const definition = (await shippedServerDefinitions()).find((one) => one.name === name);
  if (!definition) throw new Error(`no definition ${name}`);
  return serverRoot(machineWith(files), definition, file);
}
