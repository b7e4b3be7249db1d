import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JournalRecord, parseJournalLine } from '../../src/broker/journal-record.ts';
import { createSession } from '../../src/broker/session.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { createReplay, type ReplayedCall } from '../../src/hosts/replay-journal.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { defaultTools, optionalTools } from '../../src/tools/tools.ts';
import type { Blobs } from '../../src/workspace/kept-state.ts';
import { createLocalBlobs } from '../../src/workspace/local-blobs.ts';
import { rootStateFolder } from '../../src/workspace/local-state-folder.ts';
import { seeded } from './encoded-files.ts';
import { firstTree, meddle, randomCall } from './random-calls.ts';
import { openToolRoom, type ToolRoom } from './tool-room.ts';
import { textsOf, writeTree } from './tree.ts';

const TOOLS = [...defaultTools, ...optionalTools];

export interface JournaledRun {
  readonly room: ToolRoom;
  /** The journal's file. */
  readonly journal: string;
  readonly records: readonly JournalRecord[];
  readonly blobs: Blobs;
}

/** Runs random calls of two sessions, while someone else changes files now and then. */
export async function journaledRun(calls: number, seed: number): Promise<JournaledRun> {
  const room = await openToolRoom(firstTree());
  const random = seeded(seed);
  const sessions = ['one', 'two'].map((id) => createSession(room.root, id, { diagnosticsBudgetMs: 0 }));
  for (let call = 0; call < calls; call += 1) {
    if (random() < 0.05) meddle(room.folder, random);
    const session = sessions[random() < 0.8 ? 0 : 1];
    if (session) await callTool(TOOLS, randomCall(room.folder, random), { session });
  }
  const state = rootStateFolder(room.folder);
  const journal = join(state, 'journal.jsonl');
  const lines = readFileSync(journal, 'utf8').split('\n');
  const records = lines.flatMap((line) => parseJournalLine(line) ?? []);
  return { room, journal, records, blobs: createLocalBlobs(join(state, 'blobs')) };
}

/** Runs records again on a fresh tree. */
export async function replayed(records: readonly JournalRecord[], blobs: Blobs) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-replay-test-')));
  writeTree(folder, firstTree());
  const root = await openRoot({ root: folder });
  const replay = createReplay(root, blobs);
  const outcomes: ReplayedCall[] = [];
  for (const record of records) outcomes.push(await replay.run(record));
  const { stray } = await replay.compareFiles();
  await root.close();
  return { outcomes, stray, texts: textsOf(folder) };
}

/** What a replay of all records came to, for a test to look at. */
export async function replayAll({ room, records, blobs }: JournaledRun) {
  const { outcomes, stray, texts } = await replayed(records, blobs);
  const others = outcomes.flatMap((outcome, at) =>
    outcome.status === 'same' ? [] : [{ outcome, record: records[at] }],
  );
  const now = textsOf(room.folder);
  const differing = Object.keys({ ...now, ...texts }).filter((name) => now[name] !== texts[name]);
  const restored = outcomes.filter((outcome) => 'restored' in outcome && outcome.restored.length > 0).length;
  // Only what someone else did after the last call that looked at the file is not in a journal.
  const unexplained = differing.filter((name) => !now[name]?.includes('someone else'));
  return { same: outcomes.length - others.length, others, stray, restored, unexplained };
}
