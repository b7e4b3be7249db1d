import type { Clock } from '../workspace/clock.ts';
import type { DocumentStore } from '../workspace/document-store.ts';
import { shippedServerDefinitions } from '../workspace/language-server/disk-server-definitions.ts';
import { diskServerMachine } from '../workspace/language-server/disk-server-machine.ts';
import { LanguageServers } from '../workspace/language-server/language-servers.ts';
import type { ServerDefinition } from '../workspace/language-server/server-definition.ts';
import type { ServerMachine } from '../workspace/language-server/server-machine.ts';
import type { ServerTimings } from '../workspace/language-server/server-timings.ts';
import { Watchdog } from '../workspace/language-server/watchdog.ts';
import type { Run } from '../workspace/run.ts';
import type { DiagnosticsBoard } from './diagnostics-board.ts';
import type { Severity } from './report.ts';
import { ServerDiagnosticsBoard } from './server-diagnostics-board.ts';

export interface BoardOptions {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly run: Run;
  readonly clock: Clock;
  readonly store?: DocumentStore;
  /** emend's own by default. */
  readonly definitions?: readonly ServerDefinition[];
  /** This machine by default. */
  readonly machine?: ServerMachine;
  readonly timings?: Partial<ServerTimings>;
  /** Less grave findings are not reported; `error` by default. */
  readonly severity?: Severity;
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
      definitions: options.definitions ?? (await shippedServerDefinitions()),
      watchdog: new Watchdog(run, root),
      ...(options.timings ? { timings: options.timings } : {}),
    });
  return new ServerDiagnosticsBoard({ root, clock, severity: options.severity ?? 'error', open });
}
