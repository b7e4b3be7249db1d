import { spawnSync } from 'node:child_process';
import type { BrokerRoot } from '../../src/broker/broker-root.ts';
import { type DocumentStore, StoreError } from '../../src/workspace/document-store.ts';
import { createDocuments } from '../../src/workspace/documents.ts';
import type { KeptState, PendingRecord } from '../../src/workspace/kept-state.ts';
import { openKeptState } from '../../src/workspace/local-kept-state.ts';
import { ownProcess } from '../../src/workspace/local-process-identity.ts';

/**
 * `stop before`, `stop after`: at this operation, before or after it is done, the process is as if it were dead: no
 * further operation is done. `fail before`, `fail after`: this one operation says that the disk failed.
 */
export interface Fault {
  readonly at: number;
  readonly kind: 'stop before' | 'stop after' | 'fail before' | 'fail after';
}

/** What a stopped process meets at each further operation. */
export class Stopped extends Error {}

/** A root whose store and records meet one fault; `operations()` counts those that were begun. */
export function faultyRoot(
  root: BrokerRoot,
  folder: string,
  fault: Fault | undefined,
): BrokerRoot & { operations(): number } {
  let count = 0;
  let isStopped = false;
  const through =
    <A extends unknown[], T>(operation: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (isStopped) throw new Stopped();
      count += 1;
      if (fault?.at !== count) return operation(...args);
      if (fault.kind === 'stop after' || fault.kind === 'fail after') await operation(...args);
      if (fault.kind.startsWith('fail')) throw new StoreError('io', 'the disk failed');
      isStopped = true;
      throw new Stopped();
    };
  const store = faultyStore(root.store, through);
  const kept = faultyState(openKeptState(folder, deadProcess()), through);
  return { ...root, store, kept, documents: createDocuments(store), operations: () => count };
}

type Through = <A extends unknown[], T>(operation: (...args: A) => Promise<T>) => (...args: A) => Promise<T>;

function faultyStore(store: DocumentStore, through: Through): DocumentStore {
  return {
    ...store,
    read: through(store.read),
    stat: through(store.stat),
    write: through(store.write),
    remove: through(store.remove),
    ...(store.tidy && { tidy: through(store.tidy) }),
    ...(store.attributes && { attributes: through(store.attributes) }),
    ...(store.nameOf && { nameOf: through(store.nameOf) }),
    ...(store.check && { check: through(store.check) }),
  };
}

function faultyState(kept: KeptState, through: Through): KeptState {
  const pending = ({ finish, drop }: PendingRecord): PendingRecord => ({
    finish: through(finish),
    drop: through(drop),
  });
  return {
    ...kept,
    blobs: { ...kept.blobs, put: through(kept.blobs.put) },
    undo: { ...kept.undo, put: through(kept.undo.put) },
    changes: {
      ...kept.changes,
      begin: through(async (receipt: string, text: string) => pending(await kept.changes.begin(receipt, text))),
    },
  };
}

let dead: string | undefined;

/** A process that ran here and does not any more. */
export function deadProcess(): string {
  dead ??= `${ownProcess.split('.')[0]}.${spawnSync('true').pid}.1`;
  return dead;
}
