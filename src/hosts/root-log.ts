import { join } from 'node:path';
import { parseChangeRecord } from '../broker/transaction/change-record.ts';
import { systemClock } from '../workspace/clock.ts';
import { isWithin } from '../workspace/deny-list.ts';
import { watchSweeps } from '../workspace/disk-temp-files.ts';
import type { KeptState } from '../workspace/kept-state.ts';
import { openLogFile } from '../workspace/local-log-file.ts';
import { createLog, type Log, type LogFields, type LogThreshold } from '../workspace/log.ts';

/** The log of a root lies here, in its folder of the user's state. */
export const LOG_NAME = 'emend.log';

interface RootLog {
  readonly log: Log;
  /** The same state, with a word in the log of each change of a dead process that is ended. */
  recording(kept: KeptState): KeptState;
  close(): void;
}

/** Opens the log of a root; there is no file before the first line. */
export function openRootLog(
  stateFolder: string,
  { root, threshold }: { readonly root: string; readonly threshold: LogThreshold },
): RootLog {
  const file = openLogFile(join(stateFolder, LOG_NAME));
  const log = createLog({ threshold, clock: systemClock, append: file.append });
  const unwatch = watchSweeps((path) => {
    if (isWithin(root, path)) log.write('info', 'swept', { path });
  });
  return {
    log,
    recording: (kept) => ({
      ...kept,
      changes: {
        ...kept.changes,
        interrupted: async () =>
          (await kept.changes.interrupted()).map((pending) => ({
            ...pending,
            finish: async () => {
              await pending.finish();
              log.write('warn', 'recovered', { ...wordsOf(pending.text), end: 'done' });
            },
            drop: async () => {
              await pending.drop();
              log.write('warn', 'recovered', { ...wordsOf(pending.text), end: 'taken_back' });
            },
          })),
      },
    }),
    close() {
      unwatch();
      file.close();
    },
  };
}

/** The receipt and the files of a record, as far as it can be read. */
function wordsOf(text: string): LogFields {
  const record = parseChangeRecord(text);
  return { receipt: record?.receipt, path: record && [...new Set(record.files.map(({ path }) => path))].join(' ') };
}
