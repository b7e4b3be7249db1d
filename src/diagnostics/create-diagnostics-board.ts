import type { Clock } from '../workspace/clock.ts';
import { type DocumentStore, StoreError } from '../workspace/document-store.ts';
import { diskServerMachine } from '../workspace/language-server/disk-server-machine.ts';
import { type ServerOverrides, serverDefinitionsFor } from '../workspace/language-server/disk-server-overrides.ts';
import { LanguageServers } from '../workspace/language-server/language-servers.ts';
import { type FileWatch, localFileWatch } from '../workspace/language-server/local-file-watch.ts';
import { localMemory } from '../workspace/language-server/local-memory.ts';
import type { MemoryPort } from '../workspace/language-server/memory-ceiling.ts';
import type { ServerDefinition } from '../workspace/language-server/server-definition.ts';
import type { ServerMachine } from '../workspace/language-server/server-machine.ts';
import type { ServerTimings } from '../workspace/language-server/server-timings.ts';
import { Watchdog } from '../workspace/language-server/watchdog.ts';
import type { Log } from '../workspace/log.ts';
import type { Run } from '../workspace/run.ts';
import type { DiagnosticsBoard } from './diagnostics-board.ts';
import { findMentions } from './find-mentions.ts';
import { foldersWith } from './folders-with.ts';
import type { OtherFiles } from './other-files.ts';
import type { Severity } from './report.ts';
import { ServerDiagnosticsBoard } from './server-diagnostics-board.ts';

/** What the diagnostics of one root are made of. */
export interface BoardOptions {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly run: Run;
  readonly clock: Clock;
  readonly store?: DocumentStore;
  /** emend's own by default, with the person's and, where it is trusted, the project's over them. */
  readonly definitions?: readonly ServerDefinition[];
  /** Servers that settings name, over those. */
  readonly overrides?: readonly ServerOverrides[];
  /** Nothing of the project may run: no program of it, no server that runs its code, no settings of it. */
  readonly untrusted?: true | undefined;
  /** This machine by default. */
  readonly machine?: ServerMachine;
  /** Tells of changes by others; this machine's disk by default. */
  readonly watch?: FileWatch;
  readonly timings?: Partial<ServerTimings>;
  /** What all servers together may have; by default this machine's, where they run on it. */
  readonly memory?: MemoryPort;
  /** Less grave findings are not reported; `error` by default. */
  readonly severity?: Severity;
  readonly log?: Log;
}

/** A board for one root. Starts nothing: a server starts when a file that it serves is first read or changed. */
export function createDiagnosticsBoard(options: BoardOptions): DiagnosticsBoard {
  const { root, run, clock } = options;
  const machine = options.machine ?? diskServerMachine();
  const open = async (): Promise<LanguageServers> =>
    new LanguageServers({
      root,
      run,
      clock,
      machine,
      definitions: options.definitions ?? (await serverDefinitionsFor(root, options)),
      watchdog: new Watchdog(run, root),
      ...(options.memory || !options.machine ? { memory: options.memory ?? (await localMemory()) } : {}),
      ...(options.timings ? { timings: options.timings } : {}),
      ...(options.log ? { log: options.log } : {}),
    });
  // Behind an executor each look takes milliseconds: there the folders that open files use, and what installers write.
  const isFar = options.machine !== undefined;
  const namesIn = (folder: string): Promise<readonly string[]> =>
    options.store ? storedNames(options.store, folder) : machine.names(folder);
  const files: OtherFiles = {
    mentioning: (folder, words, likelier) => findMentions({ run, root: folder, words, likelier }),
    packages: async (folder) => (isFar ? [] : foldersWith(['package.json'], { run, root: folder })),
    names: async (folder) => (isFar ? [] : namesIn(folder)),
    text: (path) => (options.store ? storedText(options.store, path) : machine.readText(path)),
    stamp: (path) => (options.store ? storedStamp(options.store, path, 'file') : machine.stamp(path)),
    folderStamp: (path) => (options.store ? storedStamp(options.store, path, 'directory') : machine.stamp(path)),
  };
  const watch = options.watch ?? localFileWatch;
  return new ServerDiagnosticsBoard({ root, clock, severity: options.severity ?? 'error', open, files, watch });
}

async function storedNames(store: DocumentStore, folder: string): Promise<readonly string[]> {
  try {
    return (await store.list(folder)).map(({ name }) => name);
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}

async function storedText(store: DocumentStore, path: string): Promise<string | undefined> {
  try {
    const content = await store.read(path);
    return content.kind === 'buffer' ? content.text : new TextDecoder().decode(content.bytes);
  } catch (error) {
    // A file that can't be read is passed over: it was only thought to depend on the change.
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

async function storedStamp(
  store: DocumentStore,
  path: string,
  kind: 'file' | 'directory',
): Promise<string | undefined> {
  try {
    const stat = store.statNow ? store.statNow(path) : await store.stat(path);
    return stat?.kind === kind ? `${stat.mtimeMs} ${stat.ctimeMs} ${stat.size} ${stat.inode}` : undefined;
  } catch (error) {
    // One that can't be looked at is as one that is gone, and no reason to say nothing of the others.
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}
