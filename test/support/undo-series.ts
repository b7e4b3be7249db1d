import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSession } from '../../src/broker/session.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { defaultTools, optionalTools } from '../../src/tools/tools.ts';
import { seeded } from './encoded-files.ts';
import { randomBroadCall } from './random-broad-call.ts';
import { firstTree, randomCall } from './random-calls.ts';
import { openToolRoom } from './tool-room.ts';
import { treeOf } from './tree.ts';

const TOOLS = [...defaultTools, ...optionalTools];
const MODES = [0o644, 0o600, 0o755, 0o664] as const;

/** How often a change was undone, of how many files, and what was not as before: names only. */
export interface UndoTally {
  undone: number;
  files: number;
  redone: number;
  /** Changes of more than one file, and what was done to the files of all. */
  broad: number;
  readonly ops: Record<string, number>;
  readonly wrong: string[];
}

/** Makes so many random changes, and undoes each; every second one is made again by undoing that. */
export async function undoSeries(count: number, seed: number): Promise<UndoTally> {
  const room = await openToolRoom(firstTree());
  const random = seeded(seed);
  const session = createSession(room.root, 'test', { diagnosticsBudgetMs: 0 });
  const tally: UndoTally = { undone: 0, files: 0, redone: 0, broad: 0, ops: {}, wrong: [] };
  const run = (name: string, args: unknown) => callTool(TOOLS, { name, args }, { session });
  while (tally.undone < count && tally.wrong.length === 0) {
    const call = (random() < 0.6 ? randomBroadCall : randomCall)(room.folder, random);
    if (call.name === 'Read' || call.name === 'Undo' || call.args.dry_run) continue;
    changeModes(room.folder, random);
    const before = treeOf(room.folder);
    const change = await run(call.name, call.args);
    if (!change.ok) continue;
    const after = treeOf(room.folder);
    const undone = await run('Undo', { id: change.receipt.id });
    if (!undone.ok) tally.wrong.push(`undo of ${JSON.stringify(call)}: ${undone.text}`);
    tally.wrong.push(
      ...differing(before, treeOf(room.folder)).map((name) => `${name} after undo of ${JSON.stringify(call)}`),
    );
    tally.undone += 1;
    tally.files += change.receipt.files.length;
    if (change.receipt.files.length > 1) tally.broad += 1;
    for (const { op } of change.receipt.files) tally.ops[op] = (tally.ops[op] ?? 0) + 1;
    if (random() < 0.5) continue;
    const redone = await run('Undo', { id: undone.receipt.id });
    if (!redone.ok) tally.wrong.push(`undo of undo of ${JSON.stringify(call)}: ${redone.text}`);
    tally.wrong.push(
      ...differing(after, treeOf(room.folder)).map((name) => `${name} after undo of undo of ${JSON.stringify(call)}`),
    );
    tally.redone += 1;
  }
  await room.close();
  return tally;
}

function differing(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys({ ...one, ...other }).filter((name) => one[name] !== other[name]);
}

function changeModes(folder: string, random: () => number): void {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const entry = names[Math.floor(random() * names.length)];
  if (entry) chmodSync(join(entry.parentPath, entry.name), MODES[Math.floor(random() * MODES.length)] ?? 0o644);
}
