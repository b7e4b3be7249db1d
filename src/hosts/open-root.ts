import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BrokerRoot } from '../broker/broker-root.ts';
import { createDiagnosticsBoard } from '../diagnostics/create-diagnostics-board.ts';
import { systemClock } from '../workspace/clock.ts';
import { createConfinement } from '../workspace/confinement.ts';
import { createDiskStore } from '../workspace/disk-store.ts';
import { type DocumentStore, StoreError } from '../workspace/document-store.ts';
import { createDocuments } from '../workspace/documents.ts';
import { createPathLockFiles } from '../workspace/local-path-lock.ts';
import { openReceiptCounter } from '../workspace/local-receipt-counter.ts';
import { localRun } from '../workspace/local-run.ts';
import { rootStateFolder } from '../workspace/local-state-folder.ts';
import { createPathLocks } from '../workspace/path-locks.ts';
import type { Run } from '../workspace/run.ts';

export interface RootOptions {
  /** The folder that calls are confined to; relative paths in calls are relative to it. */
  readonly root: string;
  /** Where the files are; the disk by default. */
  readonly store?: DocumentStore;
  /** How commands are started where the files are; as local processes by default. */
  readonly run?: Run;
  /** Further paths, outside the root, that calls may touch. */
  readonly allow?: readonly string[];
  /** No confinement at all: where a container is the boundary. */
  readonly unconfined?: true;
}

export interface OpenRoot extends BrokerRoot {
  /** Ends every language server. */
  close(): Promise<void>;
}

/**
 * Composes what the sessions on one root share. Nothing is started: servers start when they are first needed.
 * @throws StoreError `not_found` where the root is no folder
 */
export async function openRoot(options: RootOptions): Promise<OpenRoot> {
  const store = options.store ?? createDiskStore();
  const asked = resolve(options.root);
  const stat = await store.stat(asked);
  if (stat?.kind !== 'directory') {
    throw new StoreError('not_found', `the root ${asked} is not a folder. Name one that exists.`);
  }
  const root = options.store ? await store.realPath(asked) : await realpath(asked);
  const run = options.run ?? localRun;
  const diagnostics = createDiagnosticsBoard({ root, run, store, clock: systemClock });
  const counter = openReceiptCounter(rootStateFolder(root));
  return {
    root,
    store,
    run,
    clock: systemClock,
    diagnostics,
    documents: createDocuments(store),
    locks: createPathLocks(createPathLockFiles()),
    confinement: createConfinement({
      roots: [root],
      allow: options.allow ?? [],
      unconfined: options.unconfined ?? false,
      deny: [],
      store,
    }),
    nextReceiptId: () => counter.next(),
    close: () => diagnostics.close(),
  };
}
