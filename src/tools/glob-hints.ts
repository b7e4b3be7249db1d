import { isAbsolute, join, relative } from 'node:path';
import type { GlobFindings } from '../workspace/search/glob.ts';
import { hasWildcard } from '../workspace/search/glob-pattern.ts';
import { similarPaths } from '../workspace/similar-paths.ts';
import { count } from '../workspace/truncation.ts';
import { shownPath } from './named-path.ts';
import type { ToolCall } from './tool.ts';

/** A pattern as it is from the folder that is searched. */
export function fromFolder(pattern: string, folder: string): string {
  const plain = pattern.replace(/^(!?)\.\//, '$1');
  return isAbsolute(plain) ? relative(folder, plain) : plain;
}

/** `/src/*.ts` is often meant from the root of the project, not of the machine. */
export async function withHint(message: string, pattern: string, call: ToolCall): Promise<string> {
  const { root, store } = call.session.root;
  const [first = ''] = pattern.replace(/^\/+/, '').split('/');
  if (!pattern.startsWith('/') || !(await store.stat(join(root, first)))) return message;
  return `${message}${message.endsWith('.') ? '' : '.'} Did you mean ${pattern.replace(/^\/+/, '')}?`;
}

/**
 * What a pattern that found nothing may have been written for: another path, names of other case, a regular expression,
 * `\` between folders. `inAnyCase` looks again in `folder`.
 */
export async function noneNote(
  pattern: string,
  look: { readonly folder: string; readonly inAnyCase: () => Promise<GlobFindings>; readonly call: ToolCall },
): Promise<readonly string[]> {
  const meant = await meantNote(pattern, look.call);
  if (meant.length > 0) return meant;
  const { paths, total } = await look.inAnyCase();
  if (total > 0) {
    const shown = paths.map((path) => shownPath(look.call.session.root.root, join(look.folder, path))).join(', ');
    return [`${count(total)} ${total === 1 ? 'matches' : 'match'} in other case: ${shown}`];
  }
  if (/^\^|\.\*\\|\\\.|[^/]\$$/.test(pattern)) return ['the pattern is read as a glob, not as a regular expression'];
  return /\\\w/.test(pattern) ? ['folders are parted by /, not by \\'] : [];
}

/** A path that was named outright and is not there may have been another. */
async function meantNote(pattern: string, call: ToolCall): Promise<readonly string[]> {
  if (!pattern.includes('/') || hasWildcard(pattern)) return [];
  const { root, store } = call.session.root;
  const { paths } = await similarPaths(store, root, join(root, fromFolder(pattern, root)));
  return paths.length === 0 ? [] : [`did you mean ${paths.map((path) => shownPath(root, path)).join(', ')}?`];
}
