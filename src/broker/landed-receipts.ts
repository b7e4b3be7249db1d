import { parseJournalLine } from './journal-record.ts';
import type { Session } from './session.ts';

/** A change that landed; `undoes`: it was an Undo, of that one. */
interface LandedReceipt {
  readonly receipt: string;
  readonly undoes?: string;
}

/** What can be taken back, as the changes that landed leave it. */
export interface UndoHistory {
  /** The session's changes that stand, the last one last. An Undo is none; one that was taken back puts its change back. */
  readonly standing: readonly string[];
  /** The session's last Undo that stands. */
  readonly lastUndo: string | undefined;
  /** The Undo that took a change back, by whichever session, if it stands. */
  undoneBy(receipt: string): string | undefined;
}

/** Of the journal's end: no one goes back further without an id. */
const MAX_JOURNAL_BYTES = 4 * 1024 * 1024;

const landed = new WeakMap<object, LandedReceipt[]>();

/** Remembers a change of this session, in case that the journal can't be written. */
export function noteLanded(session: Session, change: LandedReceipt): void {
  landed.set(session.memory, [...landedHere(session), change]);
}

/** What a session changed and took back: in this process, and by the journal in earlier ones. */
export async function undoHistory(session: Session): Promise<UndoHistory> {
  const own: LandedReceipt[] = [];
  const all: LandedReceipt[] = [];
  for (const line of await session.root.kept.journal.recent(MAX_JOURNAL_BYTES)) {
    const record = parseJournalLine(line);
    if (!record?.ok || record.dry_run || record.files.length === 0) continue;
    const change = { receipt: record.receipt, ...(record.undoes !== undefined && { undoes: record.undoes }) };
    all.push(change);
    if (record.session === session.id) own.push(change);
  }
  const known = new Set(all.map(({ receipt }) => receipt));
  const unwritten = landedHere(session).filter(({ receipt }) => !known.has(receipt));
  const { standing, undos } = replayed(inOrder([...own, ...unwritten]));
  const { undos: undosOfAll } = replayed(inOrder([...all, ...unwritten]));
  return {
    standing,
    lastUndo: [...undos.keys()].at(-1),
    undoneBy: (receipt) => [...undosOfAll].findLast(([, undone]) => undone === receipt)?.[0],
  };
}

/** By their numbers: what the journal does not hold may be the oldest as well as the newest. */
function inOrder(changes: readonly LandedReceipt[]): readonly LandedReceipt[] {
  const numberOf = ({ receipt }: LandedReceipt): number => Number(receipt.slice(1));
  return changes.toSorted((one, other) => numberOf(one) - numberOf(other));
}

/** Changes that stand, and Undos that stand with what they took back. */
function replayed(changes: readonly LandedReceipt[]): {
  readonly standing: readonly string[];
  readonly undos: ReadonlyMap<string, string>;
} {
  const standing = new Set<string>();
  const undos = new Map<string, string>();
  for (const { receipt, undoes } of changes) {
    if (undoes === undefined) {
      standing.add(receipt);
      continue;
    }
    standing.delete(undoes);
    const again = undos.get(undoes);
    undos.delete(undoes);
    if (again !== undefined) standing.add(again);
    undos.set(receipt, undoes);
  }
  return { standing: [...standing], undos };
}

function landedHere(session: Session): readonly LandedReceipt[] {
  return landed.get(session.memory) ?? [];
}
