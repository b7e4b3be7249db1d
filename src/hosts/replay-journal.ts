import { dirname, join } from 'node:path';
import { journalDifferences } from '../broker/journal-difference.ts';
import type { JournalRecord, UnkeptFile } from '../broker/journal-record.ts';
import { createSession, type Session } from '../broker/session.ts';
import type { DiagnosticsBoard } from '../diagnostics/diagnostics-board.ts';
import { callTool } from '../tools/call-tool.ts';
import { DIALECTS } from '../tools/dialects.ts';
import { defaultTools, optionalTools } from '../tools/tools.ts';
import type { Blobs } from '../workspace/kept-state.ts';
import { movedArguments } from './moved-arguments.ts';
import type { OpenRoot } from './open-root.ts';
import { createReplayedFiles, type ReplayedFiles } from './replayed-files.ts';
import { UsageError } from './usage-error.ts';

/** How one call of a journal came out when it was run again. */
export type ReplayedCall =
  | { readonly status: 'same'; readonly restored: readonly string[] }
  | { readonly status: 'differs'; readonly differences: readonly string[]; readonly restored: readonly string[] }
  /** It is no file tool: what it left of files is taken over. `isVague`: the journal may not have all of it. */
  | { readonly status: 'not run'; readonly restored: readonly string[]; readonly isVague: boolean }
  | { readonly status: 'not replayable'; readonly why: string };

const REPLAYED = new Set(['Read', 'Edit', 'MultiEdit', 'Write', 'apply_patch', 'Undo']);
const TOOLS = [...defaultTools, ...optionalTools].filter(({ name }) => REPLAYED.has(name));

/** Runs the calls of a journal again, in order, on a tree of its own. */
interface Replay {
  run(record: JournalRecord): Promise<ReplayedCall>;
  /** How many files the journal speaks of, and those that are not in the end as it last knew them, gone ones included. */
  compareFiles(): Promise<{ readonly known: number; readonly stray: readonly string[] }>;
}

/** `blobs` are the journal's. No language server is started. */
export function createReplay(opened: OpenRoot, blobs: Blobs): Replay {
  const root = { ...opened, diagnostics: quietBoard };
  const sessions = new Map<string, Session>();
  const receipts = new Map<string, string>();
  const files = createReplayedFiles(root.root, opened.store, blobs);

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

  return {
    async run(record) {
      const name = baseName(record.called);
      const { looked, unkept = [] } = record;
      const isFolder = unkept.some(({ why }) => why === 'folder');
      if (!REPLAYED.has(name) || isFolder) return takeOver(files, record);
      const args = await argumentsOf(record);
      if (args === undefined) return { status: 'not replayable', why: 'its arguments are not kept any more' };
      const [missing] = unkept;
      if (missing) return { status: 'not replayable', why: unkeptWords(missing) };
      const there = await files.putBack(record, looked);
      if (there.status === 'wrong') return { status: 'not replayable', why: there.why };
      files.note(record);
      const { receipt } = await callTool(TOOLS, { name, args }, { session: sessionOf(record.session) });
      receipts.set(record.receipt, receipt.id);
      const differences = journalDifferences(record, receipt);
      const { restored } = there;
      if (differences.length === 0) return { status: 'same', restored };
      if (name === 'Read' && looked.length === 0)
        return { status: 'not replayable', why: 'the journal does not have what it read' };
      return { status: 'differs', differences, restored };
    },
    compareFiles: () => files.compare(),
  };
}

/** What a call that is not run did to files. */
async function takeOver(files: ReplayedFiles, record: JournalRecord): Promise<ReplayedCall> {
  const own = record.dry_run ? [] : record.files;
  const sources = own.flatMap(({ from }) => (from === undefined ? [] : [{ path: from, sha256: null }]));
  const made = own.map(({ path, after }) => ({ path, sha256: after }));
  const { left } = record;
  const there = await files.putBack(record, [...sources, ...made, ...(left?.files ?? [])]);
  if (there.status === 'wrong') return { status: 'not replayable', why: there.why };
  const [missing] = left?.unkept ?? [];
  if (missing) return { status: 'not replayable', why: unkeptWords(missing) };
  const isVague = record.tool === 'Bash' && (left ? !left.complete : record.ok);
  return { status: 'not run', restored: there.restored, isVague };
}

function unkeptWords({ path, why }: UnkeptFile): string {
  switch (why) {
    case 'too_large':
      return `what was in ${path} was too large to keep`;
    case 'unreadable':
      return `what was in ${path} could not be read`;
    case 'folder':
      return `${path} is a folder, whose entries are not kept`;
    case 'device':
      return `${path} is a device, a pipe or a socket, of which nothing is kept`;
  }
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

const quietBoard: DiagnosticsBoard = {
  warmUp: () => undefined,
  lookAhead: async () => undefined,
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

/** Why a journal can't be read, and what to name instead. */
export function unreadableJournal(journal: string, cause: Error): UsageError {
  const isFolder = 'code' in cause && cause.code === 'EISDIR';
  const why = isFolder ? `it is a folder. Name the journal in it: ${join(journal, 'journal.jsonl')}` : cause.message;
  return new UsageError(`${journal}: ${why}`, { cause });
}
