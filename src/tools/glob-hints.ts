import { isAbsolute, join, relative } from 'node:path';
import type { GlobFindings, GlobRequest } from '../workspace/search/glob.ts';
import { hasWildcard } from '../workspace/search/glob-pattern.ts';
import { anyCase } from '../workspace/search/meant-globs.ts';
import { similarPaths } from '../workspace/similar-paths.ts';
import { count } from '../workspace/truncation.ts';
import { shownPath } from './named-path.ts';
import type { ToolCall } from './tool.ts';

/** A pattern as it is from the folder that is searched. */
export function fromFolder(pattern: string, folder: string): string {
  const plain = pattern.replace(/^(!?)\.\//, '$1');
  const inside = isAbsolute(plain) ? relative(folder, plain) : plain;
  // What was named from a folder is in that folder.
  return plain === pattern && inside === plain ? inside : inside.replace(/^(!?)(?=[^/]+$)/, '$1/');
}

/** `/src/*.ts` is often meant from the root of the project, not of the machine. */
export async function withHint(message: string, pattern: string, call: ToolCall): Promise<string> {
  const { root, store } = call.session.root;
  const [first = ''] = pattern.replace(/^\/+/, '').split('/');
  if (first === '' || !pattern.startsWith('/') || !(await store.stat(join(root, first)))) return message;
  return `${message}${message.endsWith('.') ? '' : '.'} Did you mean ${pattern.replace(/^\/+/, '')}?`;
}

/** Looks again for what a pattern that found nothing may have been written for. */
interface SecondLook {
  readonly folder: string;
  readonly again: (change: (glob: string) => string, links?: Pick<GlobRequest, 'links'>) => Promise<GlobFindings>;
  readonly call: ToolCall;
}

/**
 * What a pattern that found nothing may have been written for: another path, names of other case, a regular expression,
 * `\` between folders, files deeper down or behind links.
 */
export async function noneNote(pattern: string, look: SecondLook): Promise<readonly string[]> {
  const meant = await meantNote(pattern, look.call);
  if (meant.length > 0) return meant;
  const inOtherCase = await look.again(anyCase);
  if (inOtherCase.total > 0) return [said(inOtherCase, 'in other case', look)];
  if (/^\^|\.\*\\|\\\.|[^/]\$$/.test(pattern)) return ['the pattern is read as a glob, not as a regular expression'];
  if (pattern.includes('\\')) {
    const parted = await look.again((glob) => glob.replaceAll('\\', '/'));
    const advice = 'folders are parted by /, not by \\';
    if (parted.total > 0) return [said(parted, 'with /', look), advice];
    if (/\\[\w*]/.test(pattern)) return [advice];
  }
  const deeper = await look.again((glob) => glob.replace(/^\//, ''));
  if (deeper.total > 0) return [said(deeper, 'deeper down, with **/ before the name', look)];
  return linkNote(look);
}

function said({ paths, total }: Pick<GlobFindings, 'paths' | 'total'>, how: string, look: SecondLook): string {
  const shown = paths.map((path) => shownPath(look.call.session.root.root, join(look.folder, path))).join(', ');
  return `${count(total)} ${total === 1 ? 'matches' : 'match'} ${how}: ${shown}`;
}

/** Links are not followed, but what has such a name is there. */
async function linkNote(look: SecondLook): Promise<readonly string[]> {
  const { confinement, root } = look.call.session.root;
  const { paths } = await look.again((glob) => glob, { links: 'followed' });
  const inside: string[] = [];
  for (const path of paths) {
    if ((await confinement.resolve(join(look.folder, path))).status !== 'refused') inside.push(path);
  }
  if (inside.length === 0) return [];
  const shown = inside.map((path) => shownPath(root, join(look.folder, path))).join(', ');
  return [`links are not followed, and behind some it matches: ${shown}`];
}

/** A path that was named outright and is not there may have been another. */
async function meantNote(pattern: string, call: ToolCall): Promise<readonly string[]> {
  if (!pattern.includes('/') || hasWildcard(pattern)) return [];
  const { root, store, confinement } = call.session.root;
  const named = join(root, fromFolder(pattern, root));
  if (!confinement.allows(named) || (await store.stat(named))) return [];
  const paths = (await similarPaths(store, root, named)).paths.filter((path) => confinement.allows(path));
  return paths.length === 0 ? [] : [`did you mean ${paths.map((path) => shownPath(root, path)).join(', ')}?`];
}
