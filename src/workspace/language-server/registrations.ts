import picomatch from 'picomatch';
import { pathOfUri } from '../uri.ts';

/** What happened to a file, with LSP's numbers. */
export const FILE_CHANGE = { created: 1, changed: 2, deleted: 3 } as const;
/** One of those numbers. */
export type FileChangeType = (typeof FILE_CHANGE)[keyof typeof FILE_CHANGE];

interface Watcher {
  readonly matches: (path: string) => boolean;
  /** LSP `WatchKind`, a bit set: 1 create, 2 change, 4 delete. */
  readonly kind: number;
}

/** The capabilities that a running server registered, and took back, after it had started. */
export class Registrations {
  readonly #byId = new Map<string, { readonly method: string; readonly watchers: readonly Watcher[] }>();
  readonly #listeners = new Set<() => void>();

  has(method: string): boolean {
    return [...this.#byId.values()].some((registration) => registration.method === method);
  }

  /** Takes the parameters of `client/registerCapability`; what is not of their form is passed over. */
  register(params: unknown): void {
    for (const { id, method, registerOptions } of itemsOf(params, 'registrations')) {
      if (typeof id !== 'string' || typeof method !== 'string') continue;
      this.#byId.set(id, { method, watchers: itemsOf(registerOptions, 'watchers').flatMap(watcherOf) });
    }
    for (const listener of this.#listeners) listener();
  }

  /** Takes the parameters of `client/unregisterCapability`. */
  unregister(params: unknown): void {
    // The protocol itself misspells the member.
    for (const { id } of itemsOf(params, 'unregisterations')) if (typeof id === 'string') this.#byId.delete(id);
  }

  /** Calls `listener` after each registration, until the function that it returns is called. */
  onRegister(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether the server asked to be told of this change to this absolute path. */
  watches(path: string, type: FileChangeType): boolean {
    const bit = 1 << (type - 1);
    return [...this.#byId.values()].some((registration) =>
      registration.watchers.some((watcher) => (watcher.kind & bit) !== 0 && watcher.matches(path)),
    );
  }
}

function itemsOf(holder: unknown, member: string): readonly Readonly<Record<string, unknown>>[] {
  const items = isRecord(holder) ? holder[member] : undefined;
  return Array.isArray(items) ? items.filter(isRecord) : [];
}

function watcherOf(watcher: Readonly<Record<string, unknown>>): readonly Watcher[] {
  const { globPattern } = watcher;
  const kind = typeof watcher.kind === 'number' ? watcher.kind : 7;
  if (typeof globPattern === 'string') return [{ kind, matches: picomatch(globPattern, { dot: true }) }];
  if (!isRecord(globPattern) || typeof globPattern.pattern !== 'string') return [];
  const { baseUri, pattern } = globPattern as { readonly baseUri: unknown; readonly pattern: string };
  const uri = isRecord(baseUri) ? baseUri.uri : baseUri;
  const base = typeof uri === 'string' ? pathOfUri(uri)?.replace(/\/$/, '') : undefined;
  if (base === undefined) return [];
  const matches = picomatch(pattern, { dot: true });
  return [{ kind, matches: (path) => path.startsWith(`${base}/`) && matches(path.slice(base.length + 1)) }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
