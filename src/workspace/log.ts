import type { Clock } from './clock.ts';
import { type LogFields, logLine } from './log-line.ts';

export type { LogFields } from './log-line.ts';

/** From the gravest on; each takes in those before it. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

/** How much is logged: each level has those before it. */
export type LogLevel = (typeof LOG_LEVELS)[number];
/** `off`: nothing is written. */
export type LogThreshold = LogLevel | 'off';

/** What happened in a root, for a person who follows a strange result. */
export interface Log {
  /** Whether such a line would be written: for what costs to say. */
  keeps(level: LogLevel): boolean;
  /** Never fails: that something can't be logged is no reason for anything else to fail. */
  write(level: LogLevel, event: string, fields?: LogFields): void;
  /** The same log for whoever wants more or less of it. */
  at(threshold: LogThreshold): Log;
}

/** A log of lines with their time. */
export function createLog(options: {
  readonly threshold: LogThreshold;
  readonly clock: Pick<Clock, 'date'>;
  /** `now`: what is grave has to be there also when the process dies of it. */
  readonly append: (line: string, when: 'now' | 'soon') => void;
}): Log {
  const { threshold, clock, append } = options;
  const most = threshold === 'off' ? -1 : LOG_LEVELS.indexOf(threshold);
  const keeps = (level: LogLevel): boolean => LOG_LEVELS.indexOf(level) <= most;
  return {
    keeps,
    write(level, event, fields = {}) {
      if (!keeps(level)) return;
      const when = level === 'error' || level === 'warn' ? 'now' : 'soon';
      append(logLine({ time: clock.date().toISOString(), level, event, ...fields }), when);
    },
    at: (other) => createLog({ ...options, threshold: other }),
  };
}

/** Keeps nothing. */
export const NO_LOG: Log = { keeps: () => false, write: () => undefined, at: () => NO_LOG };
