/** How soon a caller that repeats itself is told so. Counts are from 1 on. */
export interface LoopGateOptions {
  /** An edit or a Read that failed this often in the same way is not run again. */
  readonly failures: number;
  /** A command or search that failed this often in the same way gets one note. */
  readonly notes: number;
  /** As many edits of one file that differ little get its present lines when they fail. */
  readonly nearFailures: number;
  /** Whether commands are held back too. */
  readonly strictness: 'edits' | 'edits_and_commands';
}

/** What holds where nobody says otherwise: edits are held back the third time, commands only get a note. */
export const LOOP_GATE_OPTIONS: LoopGateOptions = { failures: 2, notes: 3, nearFailures: 3, strictness: 'edits' };

/** The options with what is asked for. @throws RangeError on a count that is not a whole number from 1 on */
export function loopGateOptions(asked: Partial<LoopGateOptions>): LoopGateOptions {
  const options = { ...LOOP_GATE_OPTIONS, ...asked };
  for (const name of ['failures', 'notes', 'nearFailures'] as const) {
    if (Number.isInteger(options[name]) && options[name] >= 1) continue;
    throw new RangeError(`loopGate.${name} is ${options[name]}. Give a whole number from 1 on`);
  }
  return options;
}
