import { describe, expect, test } from 'vitest';
import type { DocumentStore } from '../../src/workspace/document-store.ts';
import { similarPaths } from '../../src/workspace/similar-paths.ts';

/** A store that can only list, made from paths. */
function storeOf(paths: readonly string[]): DocumentStore {
  const list: DocumentStore['list'] = async (folder) => {
    const inside = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
    const names = new Map(inside.map((path) => [path.split('/')[0] ?? '', path.includes('/')]));
    return [...names].map(([name, isFolder]) => ({ name, kind: isFolder ? 'directory' : 'file' }));
  };
  const absent = () => Promise.reject(new Error('not used here'));
  return { list, read: absent, stat: absent, readBytes: absent, realPath: absent, write: absent, remove: absent };
}

describe('what a path may have meant', () => {
  test.each([
    ['another case', ['/r/src/auth.ts', '/r/src/x.ts'], '/r/src/Auth.ts', ['/r/src/auth.ts']],
    ['another extension', ['/r/a/config.yaml', '/r/a/b.ts'], '/r/a/config.yml', ['/r/a/config.yaml']],
    ['a misspelling', ['/r/src/handler.ts', '/r/src/b.ts'], '/r/src/hanlder.ts', ['/r/src/handler.ts']],
    ['another folder', ['/r/lib/deep/parser.ts', '/r/src/b.ts'], '/r/src/parser.ts', ['/r/lib/deep/parser.ts']],
    ['a folder that is not there', ['/r/lib/parser.ts'], '/r/nope/parser.ts', ['/r/lib/parser.ts']],
    ['nothing alike', ['/r/lib/parser.ts'], '/r/lib/zebra.md', []],
  ])('%s', async (_what, files, path, expected) => {
    expect((await similarPaths(storeOf(files), '/r', path)).paths).toEqual(expected);
  });

  test.each([
    ['NFC for NFD', 'cafe\u0301.md', 'caf\u00e9.md'],
    ['a plain blank for a narrow one', 'Shot 9.41\u202fAM.png', 'Shot 9.41 AM.png'],
    ['straight quotes for curly ones', 'Bob\u2019s \u201cplan\u201d.txt', 'Bob\'s "plan".txt'],
  ])('%s is the same name to the eye', async (_what, onDisk, asked) => {
    expect((await similarPaths(storeOf([`/r/${onDisk}`]), '/r', `/r/${asked}`)).lookAlike).toBe(`/r/${onDisk}`);
  });

  test('two names that look alike are not chosen between', async () => {
    const store = storeOf(['/r/cafe\u0301.md', '/r/caf\u00e9.md']);
    expect((await similarPaths(store, '/r', '/r/caf\u00e9 .md')).lookAlike).toBeUndefined();
  });
});
