import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { BrokerRoot } from '../broker/broker-root.ts';
import { recoverChanges } from '../broker/transaction/recover-changes.ts';
import { recoveringLocks } from '../broker/transaction/recovering-locks.ts';
import { createDiagnosticsBoard } from '../diagnostics/create-diagnostics-board.ts';
import type { DiagnosticsBoard } from '../diagnostics/diagnostics-board.ts';
import type { Severity } from '../diagnostics/report.ts';
import { systemClock } from '../workspace/clock.ts';
import { type Confinement, createConfinement } from '../workspace/confinement.ts';
import { createDiskStore } from '../workspace/disk-store.ts';
import { type DocumentStore, StoreError } from '../workspace/document-store.ts';
import { createDocuments } from '../workspace/documents.ts';
import { createEditorConfig } from '../workspace/editor-config.ts';
import { createFarSide, type FarSide } from '../workspace/executor/far-side.ts';
import { createRunMachine } from '../workspace/executor/run-machine.ts';
import type { ServerOverrides } from '../workspace/language-server/disk-server-overrides.ts';
import { openKeptState } from '../workspace/local-kept-state.ts';
import { createPathLockFiles } from '../workspace/local-path-lock.ts';
import { openReceiptCounter } from '../workspace/local-receipt-counter.ts';
import { localRun } from '../workspace/local-run.ts';
import { rootStateFolder } from '../workspace/local-state-folder.ts';
import type { LogThreshold } from '../workspace/log.ts';
import { createPathLocks } from '../workspace/path-locks.ts';
import type { Run } from '../workspace/run.ts';
import { outputFolder } from '../workspace/shell/local-output-folder.ts';
import { withLocalFolder } from '../workspace/with-local-folder.ts';
import { viewBoard } from './board-view.ts';
import { openRootLog } from './root-log.ts';
import { createThreadPlanner } from './thread-planner.ts';
import { version } from './version.ts';
import { withAbsolutePath, withEnvironment } from './with-environment.ts';

/** What lies over the files of a root and over what servers say of them: the buffers of editors. */
export interface RootLayers {
  overStore(under: DocumentStore): DocumentStore;
  overBoard(board: DiagnosticsBoard, root: string): DiagnosticsBoard;
}

/** Which files a root has, how they are reached and what runs beside them. */
export interface RootOptions {
  /** The folder that calls are confined to, or several; relative paths in calls are relative to the first. */
  readonly root: string | readonly [string, ...string[]];
  /** Where the files are; the disk by default. */
  readonly store?: DocumentStore;
  /** How commands are started where the files are; as local processes by default. */
  readonly run?: Run;
  /** Further paths, outside the root, that calls may touch. */
  readonly allow?: readonly string[];
  /** No confinement at all: where a container is the boundary. */
  readonly unconfined?: true;
  /** Globs that no tool may touch, relative to the root or absolute; one without `/` names files anywhere. */
  readonly deny?: readonly string[];
  /** Commands were asked for though there is a deny list. */
  readonly commands?: 'asked_for';
  readonly layers?: RootLayers;
  /** Nothing of the project may run: no language server of its own, none that runs its code, no settings of it. */
  readonly untrusted?: true;
  /** Less grave findings are not reported; `error` by default. */
  readonly severity?: Severity;
  /** Servers that settings name, over those that are shipped and those of servers.json. */
  readonly servers?: readonly ServerOverrides[];
  /** What is written to the log of the root, `emend.log` beside the journal; `info` by default. */
  readonly logLevel?: LogThreshold;
  /** Where it is kept what undoes changes, the journal and the count of receipts; among the user's state by default. */
  readonly stateFolder?: string;
}

/** What one caller may touch, and the environment that its commands run in. */
interface ViewOptions {
  /** Absolute, links resolved; the first lies at or below the root. */
  readonly roots: readonly [string, ...string[]];
  readonly allow: readonly string[];
  readonly isUnconfined: boolean;
  readonly deny?: readonly string[] | undefined;
  readonly commands?: 'asked_for' | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly logLevel?: LogThreshold | undefined;
}

/** A root with everything that its callers share: locks, buffers, servers, the journal. */
export interface OpenRoot extends BrokerRoot {
  /** The root as one caller sees it: its own boundary, paths from its own folder; all else is shared. */
  view(options: ViewOptions): RootView;
  /** Ends every language server. */
  close(): Promise<void>;
}

/** A root within the boundary of one caller. */
export interface RootView extends BrokerRoot {
  /** The caller is gone. */
  release(): void;
}

/**
 * Composes what the sessions on one root share. Nothing is started: servers start when they are first needed.
 * @throws StoreError `not_found` where the root is no folder
 */
export async function openRoot(options: RootOptions): Promise<OpenRoot> {
  const views = new Set<Confinement>();
  // Where callers have boundaries of their own, ours, which has no deny list, must not widen them.
  const isAllowed = (path: string): boolean => (views.size > 0 ? [...views] : [own]).some((one) => one.allows(path));
  const disk = createDiskStore({ allows: isAllowed });
  const [root, ...further] = await realRoots(options.root, options.store ?? disk);
  // What commands print is kept here, wherever they run.
  const under = options.store ? withLocalFolder(options.store, disk, outputFolder(root)) : disk;
  const store = options.layers?.overStore(under) ?? under;
  const run = options.run ?? localRun;
  const far = options.run && options.store ? await openFarSide(run, store) : undefined;
  // The same path at two ends is two roots.
  const state = options.stateFolder ?? rootStateFolder(far ? `${far.machine.name}:${root}` : root);
  const { log, recording, close: closeLog } = openRootLog(state, { root, threshold: options.logLevel ?? 'info' });
  const servers = createDiagnosticsBoard({
    root,
    run: options.run ?? withAbsolutePath(localRun),
    store,
    clock: systemClock,
    log,
    ...(far && { machine: far.machine }),
    ...(options.severity && { severity: options.severity }),
    ...(options.servers && { overrides: options.servers }),
    untrusted: options.untrusted,
  });
  const diagnostics = options.layers?.overBoard(servers, root) ?? servers;
  const counter = openReceiptCounter(state);
  const planner = createThreadPlanner({
    onFailure: (failure) => log.write('warn', 'planner_failed', { reason: String(failure.cause ?? failure.message) }),
  });
  const locks = createPathLocks(createPathLockFiles());
  const kept = recording(openKeptState(state));
  const confine = ({ roots, allow, isUnconfined, deny, commands }: ViewOptions): Confinement =>
    createConfinement({
      roots,
      allow: [...allow, outputFolder(roots[0])],
      unconfined: isUnconfined,
      ...(deny && { deny }),
      ...(commands && { commands }),
      store,
      home: far?.machine.home ?? homedir(),
    });
  const own = confine({
    roots: [root, ...further],
    allow: await Promise.all((options.allow ?? []).map((path) => store.realPath(resolve(path)))),
    isUnconfined: options.unconfined ?? false,
    ...(options.deny && { deny: options.deny }),
    ...(options.commands && { commands: options.commands }),
  });
  await recoverChanges({ root, store, locks, kept });
  const shared: BrokerRoot = {
    root,
    store,
    run,
    clock: systemClock,
    planner,
    ...(far && { far }),
    diagnostics,
    documents: createDocuments(store, createEditorConfig(store)),
    locks: recoveringLocks({ root, store, locks, kept }),
    kept,
    version,
    log,
    confinement: own,
    nextReceiptId: () => counter.next(),
  };
  return {
    ...shared,
    view(wanted) {
      const [folder] = wanted.roots;
      const confinement = confine(wanted);
      views.add(confinement);
      return {
        ...shared,
        root: folder,
        confinement,
        run: wanted.env ? withEnvironment(run, wanted.env) : run,
        diagnostics: viewBoard(diagnostics, root, folder),
        ...(wanted.logLevel && { log: log.at(wanted.logLevel) }),
        release: () => views.delete(confinement),
      };
    },
    async close() {
      await Promise.all([diagnostics.close(), planner.close()]);
      await far?.close();
      closeLog();
    },
  };
}

async function realRoots(root: RootOptions['root'], store: DocumentStore): Promise<readonly [string, ...string[]]> {
  const [first, ...further] = typeof root === 'string' ? [root] : root;
  return [await realRoot(first, store), ...(await Promise.all(further.map((path) => realRoot(path, store))))];
}

/** @throws StoreError `not_found` where the path is no folder */
export async function realRoot(path: string, store: Pick<DocumentStore, 'realPath' | 'stat'>): Promise<string> {
  const asked = resolve(path);
  const stat = await store.stat(asked);
  if (stat?.kind !== 'directory') {
    throw new StoreError('not_found', `the root ${asked} is not a folder. Name one that exists.`);
  }
  return store.realPath(asked);
}

async function openFarSide(run: Run, store: DocumentStore): Promise<FarSide> {
  const startedAt = systemClock.now();
  const machine = await createRunMachine(run, store, systemClock);
  return createFarSide(run, machine, systemClock.now() - startedAt);
}
