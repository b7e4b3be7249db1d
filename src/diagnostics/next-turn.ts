import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import type { DeskAnswer } from './desk-answer.ts';
import type { WrittenChange } from './diagnostics-board.ts';
import { pathOfChange } from './file-change.ts';

/** What somebody waits for: the answer to changes of one session, or what holds for documents. */
export interface Job {
  readonly changes: readonly WrittenChange[];
  readonly documents: readonly DocumentSnapshot[];
  readonly resolve: (answer: DeskAnswer) => void;
}

/**
 * Those of the jobs that one round takes: the changes of the session that has waited longest, and documents. Answered
 * together, what one session broke would be put down to another. Laws: what is said of one file is said in the order in
 * which it came; each session that waits has its turn after those that waited before it.
 */
export function nextTurn(waiting: readonly Job[]): { readonly now: readonly Job[]; readonly later: readonly Job[] } {
  const session = waiting.find(({ changes }) => changes.length > 0)?.changes[0]?.session;
  const [now, later]: [Job[], Job[]] = [[], []];
  const held = new Set<string>();
  for (const job of waiting) {
    const paths = [...job.changes.map(pathOfChange), ...job.documents.map(({ path }) => path)];
    const isOurs = job.changes.every((change) => change.session === session);
    if (isOurs && !paths.some((path) => held.has(path))) now.push(job);
    else {
      later.push(job);
      for (const path of paths) held.add(path);
    }
  }
  return { now, later };
}
