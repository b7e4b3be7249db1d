import { CommanderError } from 'commander';
import { linesAsOne } from '../workspace/lines-as-one.ts';

/** How a command ended that printed no result of its own. */
interface CommandFailure {
  /** 2: the call itself is wrong, nothing was run; 1: it failed. 0 after `--help` and `--version`. */
  readonly exitCode: 0 | 1 | 2;
  /** What is wrong and what to do next; empty where all was said. */
  readonly message: string;
  /** commander has said it on stderr already. */
  readonly isSaid: boolean;
}

/** Reads what a command threw. */
export function commandFailure(error: unknown): CommandFailure {
  if (error instanceof CommanderError) {
    const message = linesAsOne(error.message.replace(/^error: /, ''));
    return { exitCode: error.exitCode === 0 ? 0 : 2, message, isSaid: true };
  }
  const isUsage = error instanceof Error && 'code' in error && error.code === 'usage';
  return { exitCode: isUsage ? 2 : 1, message: error instanceof Error ? error.message : String(error), isSaid: false };
}

/** Whether a command line asks for one JSON line, whatever comes: also where it could not be read as a whole. */
export function wantsJson(words: readonly string[]): boolean {
  const options = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  return words[0] === 'call' && options.includes('--json');
}
