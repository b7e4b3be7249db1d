import { relative, sep } from 'node:path';
import picomatch from 'picomatch';

/** What no tool may touch. */
interface DenyList {
  readonly isEmpty: boolean;
  /** Whether an absolute path, or a folder above it, is on the list. */
  denies(path: string): boolean;
  /** The list as globs, each with `!`, for a search that starts in a folder. */
  globsIn(folder: string): readonly string[];
}

/** Whose verdicts are kept. */
const MAX_FOLDERS = 10_000;

/**
 * Globs on paths relative to a root, or absolute; one without `/` names files and folders anywhere. A pattern that names
 * a folder denies all beneath it. Case and the
 * form of Unicode do not matter: a file system may not tell them apart either.
 */
export function createDenyList(patterns: readonly string[], roots: readonly string[]): DenyList {
  const plain = patterns.map((pattern) => pattern.normalize('NFC').replace(/^\.\//, '').replace(/\/$/, ''));
  const anywhere = plain.map((pattern) => (pattern.includes('/') ? pattern : `**/${pattern}`));
  if (plain.length === 0) return { isEmpty: true, denies: () => false, globsIn: () => [] };
  const matches = picomatch(anywhere, { dot: true, nocase: true });
  const isNamed = (path: string): boolean => {
    const from = roots.find((root) => isWithin(root, path));
    const inRoot = from === undefined ? '' : relative(from, path);
    return (inRoot !== '' && matches(inRoot.normalize('NFC'))) || matches(path.normalize('NFC'));
  };
  // A search asks of every file, and most have their folder in common.
  const below = new Map<string, boolean>();
  const isBelowNamed = (path: string): boolean => {
    const folder = path.slice(0, path.lastIndexOf(sep));
    if (folder === '') return false;
    const known = below.get(folder);
    if (known !== undefined) return known;
    const is = isNamed(folder) || isBelowNamed(folder);
    if (below.size >= MAX_FOLDERS) below.clear();
    below.set(folder, is);
    return is;
  };
  return {
    isEmpty: false,
    denies: (path) => isNamed(path) || isBelowNamed(path),
    globsIn: (folder) =>
      anywhere.flatMap((pattern) => {
        const glob = globFrom(pattern, folder, roots);
        return glob === undefined ? [] : [`!${glob}`, `!${glob}/**`];
      }),
  };
}

/** Whether a path is a folder or lies beneath it. Both absolute, without `..`. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** A pattern seen from a folder below the root that it starts from; `undefined` where it can't reach that folder. */
function globFrom(pattern: string, folder: string, roots: readonly string[]): string | undefined {
  if (pattern.startsWith('**/')) return pattern;
  const base = pattern.startsWith('/') ? '/' : (roots.find((root) => isWithin(root, folder)) ?? roots[0] ?? '/');
  let rest = pattern.replace(/^\//, '').split('/');
  for (const name of relative(base, folder).split(sep).filter(Boolean)) {
    const [first = '', ...others] = rest;
    if (first === '**') return rest.join('/');
    if (!picomatch.isMatch(name, first, { dot: true, nocase: true })) return undefined;
    rest = others;
  }
  return rest.length === 0 ? '**' : `/${rest.join('/')}`;
}
