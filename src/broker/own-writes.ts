import type { BrokerRoot } from './broker-root.ts';

/** More are not remembered. */
const MAX_KEPT = 500;

/** By the place that roots share: files are the same for all their sessions. */
const written = new WeakMap<BrokerRoot['documents'], Map<string, number>>();

/** Remembers that these files (absolute, links resolved) were written through the broker, just now. */
export function noteOwnWrites({ documents, clock }: BrokerRoot, paths: readonly string[]): void {
  const own = written.get(documents) ?? new Map<string, number>();
  written.set(documents, own);
  const now = clock.date().getTime();
  for (const path of paths) {
    own.delete(path);
    own.set(path, now);
  }
  for (const oldest of [...own.keys()].slice(0, Math.max(0, own.size - MAX_KEPT))) own.delete(oldest);
}

/** When a file was last written through the broker, in milliseconds since 1970. */
export function ownWriteAt({ documents }: BrokerRoot, path: string): number | undefined {
  return written.get(documents)?.get(path);
}
