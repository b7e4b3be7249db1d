import type { DocumentStore } from '../workspace/document-store.ts';
import { type CommandPrefix, createPrefixRun } from '../workspace/executor/local-prefix-run.ts';
import { createRunStore } from '../workspace/executor/run-store.ts';
import { localRun } from '../workspace/local-run.ts';
import type { Run } from '../workspace/run.ts';

/** The two ports of `createBroker` that reach files elsewhere. */
export interface Executor {
  readonly run: Run;
  readonly store: DocumentStore;
}

/**
 * An executor over a command line that reaches another place: `['docker', 'exec', '-i', 'C']`, `['kubectl', 'exec',
 * '-i', 'POD', '--']`, `['ssh', 'H']`, `['bwrap', …]`. At the other end it needs POSIX sh with coreutils or busybox, no
 * Node and no emend.
 * @throws Error where nothing can be run through it
 */
export async function createExecutor(prefix: CommandPrefix): Promise<Executor> {
  return executorOver(await createPrefixRun(prefix, localRun));
}

/** The store to a harness's own way of starting commands. */
export function executorOver(run: Run): Executor {
  return { run, store: createRunStore(run) };
}
