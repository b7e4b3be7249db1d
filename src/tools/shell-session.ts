import { createHash } from 'node:crypto';
import type { Session } from '../broker/session.ts';
import { openSpill } from '../workspace/shell/disk-spill.ts';
import { outputFolder } from '../workspace/shell/local-output-folder.ts';
import { localProcessTable } from '../workspace/shell/local-process-table.ts';
import type { CallIdentity, ProcessTable } from '../workspace/shell/process-table.ts';
import { runProcessTable } from '../workspace/shell/run-process-table.ts';
import type { ShellPorts } from '../workspace/shell/shell-job.ts';
import { ShellJobs } from '../workspace/shell/shell-jobs.ts';

const sessions = new WeakMap<Session['memory'], ShellJobs>();

/** The commands of a session that run on. */
export function jobsOf(session: Session): ShellJobs {
  const jobs = sessions.get(session.memory) ?? new ShellJobs();
  sessions.set(session.memory, jobs);
  return jobs;
}

/** What commands of a session run with. */
export function shellPorts(session: Session): ShellPorts {
  const { root, run, clock } = session.root;
  return {
    run,
    clock,
    processes: processTable(session),
    openSpill: (name) => openSpill(outputFolder(root), name),
  };
}

/** An id that no other call on this machine has: receipts are counted per root. */
export function callIdOf(session: Session, receipt: string): string {
  const root = createHash('sha256').update(session.root.root).digest('hex').slice(0, 12);
  return `${root}-${receipt}`;
}

/** An executor that gives process numbers runs on this machine; any other is asked by a second command. */
function processTable(session: Session): ProcessTable {
  const { root, run, far } = session.root;
  const elsewhere = runProcessTable(run, root);
  const tableOf = ({ leader }: CallIdentity): ProcessTable => (leader === undefined ? elsewhere : localProcessTable);
  return {
    ofCall: (call) => tableOf(call).ofCall(call),
    mark: (call, bytes) => tableOf(call).mark(call, bytes),
    memory: () => (far ? elsewhere : localProcessTable).memory(),
    end: (call, patienceMs) => tableOf(call).end(call, patienceMs),
  };
}
