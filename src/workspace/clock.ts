/** Time as an argument: a test can hold it still. */
export interface Clock {
  /** Milliseconds, growing, from an arbitrary start: for durations. */
  now(): number;
  /** For a person or a record. */
  date(): Date;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
};
