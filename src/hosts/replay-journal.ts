import { createHash } from 'node:crypto';
import { dirname, join, relative } from 'node:path';
import { journalDifferences } from '../broker/journal-difference.ts';
import type { JournalRecord } from '../broker/journal-record.ts';
import { createSession, type Session } from '../broker/session.ts';
import type { DiagnosticsBoard } from '../diagnostics/diagnostics-board.ts';
import { callTool } from '../tools/call-tool.ts';
import { DIALECTS } from '../tools/dialects.ts';
import { defaultTools, optionalTools } from '../tools/tools.ts';
import { type DocumentStore, StoreError } from '../workspace/document-store.ts';
import type { Blobs } from '../workspace/kept-state.ts';
import { movedArguments } from './moved-arguments.ts';
import type { OpenRoot } from './open-root.ts';

/** How one call of a journal came out when it was run again. */
export type ReplayedCall =
  | { readonly status: 'same'; readonly restored: readonly string[] }
  | { readonly status: 'differs'; readonly differences: readonly string[]; readonly restored: readonly string[] }
  /** It is no file tool: what it did to files is restored where a later call looks at them. */
  | { readonly status: 'not run' }
  | { readonly status: 'not replayable'; readonly why: string };

const REPLAYED = new Set(['Read', 'Edit', 'MultiEdit', 'Write', 'apply_patch', 'Undo']);
const TOOLS = [...defaultTools, ...optionalTools].filter(({ name }) => REPLAYED.has(name));

/** Runs the calls of a journal again, in order, on a tree of its own. */
export interface Replay {
  run(record: JournalRecord): Promise<ReplayedCall>;
  /** Files whose content is not what the journal says that its last change left there. */
  strayFiles(): Promise<readonly string[]>;
}

/** `blobs` are the journal's. No language server is started. */
export function createReplay(opened: OpenRoot, blobs: Blobs): Replay {
  const root = { ...opened, diagnostics: quietBoard };
  const sessions = new Map<string, Session>();
  const receipts = new Map<string, string>();
  const left = new Map<string, string | null>();

  const sessionOf = (id: string): Session => {
    const session = sessions.get(id) ?? createSession(root, id);
    sessions.set(id, session);
    return session;
  };
  const argumentsOf = async (record: JournalRecord): Promise<unknown> => {
    const bytes = await blobs.get(record.args);
    if (!bytes) return undefined;
    const args = movedArguments(JSON.parse(Buffer.from(bytes).toString()), { from: record.root, to: root.root });
    return baseName(record.called) === 'Undo' ? withReceipt(args, receipts) : args;
  };
  const note = (record: JournalRecord): void => {
    for (const { path, after, from } of record.dry_run ? [] : record.files) {
      left.set(path, after);
      if (from !== undefined) left.set(from, null);
    }
  };

  return {
    async run(record) {
      const name = baseName(record.called);
      if (!REPLAYED.has(name)) return { status: 'not run' };
      const args = await argumentsOf(record);
      if (args === undefined) return { status: 'not replayable', why: 'its arguments are not kept any more' };
      const restored: string[] = [];
      for (const { path, sha256 } of record.looked) {
        const done = await restore(opened.store, blobs, {
          path: join(root.root, relativePath(path, record.root)),
          sha256,
        });
        if (done === 'gone') return { status: 'not replayable', why: `what was in ${path} is not kept any more` };
        if (done === 'restored') restored.push(path);
      }
      note(record);
      const { receipt } = await callTool(TOOLS, { name, args }, { session: sessionOf(record.session) });
      receipts.set(record.receipt, receipt.id);
      const differences = journalDifferences(record, receipt);
      return differences.length === 0 ? { status: 'same', restored } : { status: 'differs', differences, restored };
    },
    async strayFiles() {
      const stray: string[] = [];
      for (const [path, hash] of left) {
        if ((await hashAt(opened.store, join(root.root, path))) !== hash) stray.push(path);
      }
      return stray;
    },
  };
}

/** Our name of a tool that was called by another family's. */
function baseName(called: string): string {
  if (TOOLS.some(({ name }) => name === called)) return called;
  for (const dialect of Object.values(DIALECTS)) {
    const found = Object.entries(dialect ?? {}).find(([, names]) => names.name === called);
    if (found) return found[0];
  }
  return called;
}

function withReceipt(args: unknown, receipts: ReadonlyMap<string, string>): unknown {
  if (typeof args !== 'object' || args === null || !('id' in args) || typeof args.id !== 'string') return args;
  const id = args.id.replace(/[[\]\s]/g, '');
  return { ...args, id: receipts.get(id) ?? id };
}

function relativePath(path: string, root: string): string {
  return path.startsWith('/') ? relative(root, path) : path;
}

/** What a call looked at is put there again, where something else than a replayed call had changed it. */
async function restore(
  store: DocumentStore,
  blobs: Blobs,
  wanted: { readonly path: string; readonly sha256: string | null },
): Promise<'as it was' | 'restored' | 'gone'> {
  const { path, sha256 } = wanted;
  if ((await hashAt(store, path)) === sha256) return 'as it was';
  const base = await readIfThere(store, path);
  if (sha256 === null) {
    if (base) await store.remove(path, base);
    return 'restored';
  }
  const bytes = await blobs.get(sha256);
  if (!bytes) return 'gone';
  await store.write(path, { base: base ?? null, bytes, edits: [] });
  return 'restored';
}

async function hashAt(store: DocumentStore, path: string): Promise<string | null> {
  const content = await readIfThere(store, path);
  return content?.kind === 'file' ? createHash('sha256').update(content.bytes).digest('hex') : null;
}

async function readIfThere(store: DocumentStore, path: string) {
  try {
    return await store.read(path);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not_found') return undefined;
    throw error;
  }
}

const quietBoard: DiagnosticsBoard = {
  warmUp: () => undefined,
  check: async () => ({
    ...{ state: 'none', ms: 0, before: null, unchecked: 0 },
    ...{ introduced: [], fixed: [], open: [], servers: [] },
  }),
  ask: async () => ({ status: 'none', reasons: [] }),
  runningServers: async () => [],
  inspect: async ({ path }) => ({ path, state: 'none', diagnostics: [], servers: [] }),
  filesChanged: async () => undefined,
  changedFiles: () => [],
  takeReflow: () => [],
  settle: async () => undefined,
  close: async () => undefined,
};

/** The blobs of a journal lie beside it. */
export function blobsFolderOf(journal: string): string {
  return join(dirname(journal), 'blobs');
}
