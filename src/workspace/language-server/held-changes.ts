import { languageIdOf } from '../document-snapshot.ts';
import { uriOfPath } from '../uri.ts';
import { FILE_CHANGE, type FileChangeType, type Registrations } from './registrations.ts';
import type { Message } from './synced-documents.ts';

/** A change of a file on disk, as a server is told of it. */
export interface FileChange {
  readonly path: string;
  readonly type: FileChangeType;
}

/** How a server is told of changes: at once, or not at all where there are none. */
export function changeMessages(changes: readonly FileChange[]): readonly Message[] {
  if (changes.length === 0) return [];
  const params = { changes: changes.map(({ path, type }) => ({ uri: uriOfPath(path), type })) };
  return [{ method: 'workspace/didChangeWatchedFiles', params }];
}

/** More paths than this are not remembered. */
const MAX_HELD = 1000;

/**
 * Changes that a running server has not asked to be told of. It may have read a file before, and asks for its changes
 * only once it is done with reading: those in between are told then.
 */
export class HeldChanges {
  /** By path, in their order; a file that is there may be told as changed and as made. */
  readonly #held = new Map<string, readonly FileChange[]>();
  readonly #registrations: Registrations;
  readonly #languages: readonly string[];

  /** `languages`: the ids of those that the server serves. */
  constructor(registrations: Registrations, languages: readonly string[]) {
    this.#registrations = registrations;
    this.#languages = languages;
  }

  /**
   * Those that the server is to hear of now: what it asked for, and its own languages in any case, since its next answer
   * may come before it asks.
   */
  sift(changes: readonly FileChange[]): readonly FileChange[] {
    const isAsked = ({ path, type }: FileChange): boolean => this.#registrations.watches(path, type);
    for (const change of changes) if (!isAsked(change)) this.#hold(change);
    return changes.filter((change) => isAsked(change) || this.#languages.includes(languageIdOf(change.path)));
  }

  /** Those that it has asked for since. */
  takeAsked(): readonly FileChange[] {
    const asked = [...this.#held.values()].filter((changes) =>
      changes.some(({ path, type }) => this.#registrations.watches(path, type)),
    );
    for (const [first] of asked) if (first) this.#held.delete(first.path);
    return asked.flat();
  }

  #hold(change: FileChange): void {
    const { path, type } = change;
    const isOver = (earlier: FileChange): boolean =>
      earlier.type === type || (earlier.type === FILE_CHANGE.deleted) !== (type === FILE_CHANGE.deleted);
    const earlier = (this.#held.get(path) ?? []).filter((one) => !isOver(one));
    this.#held.delete(path);
    this.#held.set(path, [...earlier, change]);
    const [oldest] = this.#held.keys();
    if (this.#held.size > MAX_HELD && oldest !== undefined) this.#held.delete(oldest);
  }
}
