import { relative, resolve, sep } from 'node:path';
import { linkName } from '../broker/open-files.ts';
import { type Refusal, refuse } from '../broker/refusal.ts';
import { type StoredStat, StoreError } from '../workspace/document-store.ts';
import { similarPaths } from '../workspace/similar-paths.ts';
import { nameShownAs, visibleName } from '../workspace/visible-text.ts';
import type { ToolCall } from './tool.ts';

/** What stands at a path that a caller named. */
export interface NamedPath {
  readonly status: 'there';
  /** Absolute, links resolved. */
  readonly path: string;
  /** Relative to the root where it lies inside, `/` between its parts. */
  readonly shown: string;
  readonly stat: StoredStat;
  /** Said to the model where another name was taken than it wrote. */
  readonly note?: string;
}

/**
 * Finds what a caller named. A name that differs from the file's only in what can't be seen or typed (NFC and NFD,
 * kinds of blanks and quotes) is taken for it, and a note says so; anything else that is not there is refused with
 * what may have been meant.
 */
export async function findNamedPath(call: ToolCall, path: string): Promise<NamedPath | Refusal> {
  const { root } = call.session;
  const place = await root.confinement.resolve(path);
  if (place.status === 'inside' && place.stat) {
    return { status: 'there', path: place.path, shown: place.shown, stat: place.stat };
  }
  const odd = await controlNamed(call, path);
  if (odd !== undefined) return odd;
  if (place.status === 'refused') return refuse(place.code, place.message);

  const link = await linkName(root, path, place.path);
  if (link !== undefined) {
    return refuse('not_found', `${link} is a link to ${place.shown}, which is not there.`);
  }

  const similar = await similarPaths(root.store, root.root, place.path);
  // It may be a link, or on the deny list, as any other name.
  const alike = similar.lookAlike === undefined ? undefined : await root.confinement.resolve(similar.lookAlike);
  if (alike?.status === 'refused') return refuse(alike.code, alike.message);
  if (alike?.stat && similar.lookAlike !== undefined) {
    const named = JSON.stringify(shownPath(root.root, similar.lookAlike));
    const note = `note: this is ${named}; its name has other characters that look the same`;
    return { status: 'there', path: alike.path, shown: alike.shown, stat: alike.stat, note };
  }
  if (/\\x[89a-f][0-9a-f]/i.test(place.shown)) {
    const how = `Where \\x stands for a byte that is no UTF-8, rename it with Bash: mv $'${place.shown}' NEW_NAME`;
    return refuse('not_found', `${place.shown}. ${how}`);
  }
  const meant = similar.paths
    .filter((candidate) => root.confinement.allows(candidate))
    .map((candidate) => shownPath(root.root, candidate))
    .join(', ');
  return refuse(
    'not_found',
    `${place.shown}.${meant === '' ? ' See what its folder has.' : ` Did you mean ${meant}?`}`,
  );
}

/** The refusal of a file that is there and whose name has a control character, written so or as results show it. */
async function controlNamed(call: ToolCall, path: string): Promise<Refusal | undefined> {
  const { root, store, confinement } = call.session.root;
  // Written as it is, a backslash in it is one.
  const name = visibleName(path) === path ? nameShownAs(path) : path;
  if (visibleName(name) === name || name.includes('\0')) return undefined;
  try {
    const real = await store.realPath(resolve(root, name));
    if (!confinement.allows(real) || !(await store.stat(real))) return undefined;
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
  const shown = visibleName(name);
  const quoted = visibleName(name.replace(/[\\']/g, '\\$&'));
  const how = `Its name has a control character, which no tool but Bash takes: mv $'${quoted}' NEW_NAME`;
  return refuse('invalid_arguments', `${shown} is there. ${how}`);
}

/** A path as results show it: relative to the root where it lies inside, `/` between its parts, on one line. */
export function shownPath(root: string, path: string): string {
  const inside = relative(root, path).split(sep).join('/');
  if (inside === '') return '.';
  return visibleName(inside === '..' || inside.startsWith('../') ? path : inside);
}
