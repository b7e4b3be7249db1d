import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Run } from '../run.ts';
import type { ServerTimings } from './server-timings.ts';
import type { Watchdog } from './watchdog.ts';

/** What a language server lives in. */
export interface LanguageServerOptions {
  readonly run: Run;
  readonly watchdog: Watchdog | undefined;
  readonly clock: Clock;
  readonly timings?: Partial<ServerTimings>;
  readonly log?: Log;
}

/** Hears the notifications of a server, as they come. */
export type NotificationListener = (method: string, params: unknown) => void;
