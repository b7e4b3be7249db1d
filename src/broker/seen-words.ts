import type { LineRange } from './line-ranges.ts';
import { rangeList } from './range-words.ts';
import { type Refusal, refuse } from './refusal.ts';

/** The one place that words what a session has not seen, or has done before. */

/** Says that others changed these lines of a file since it was read; the edit was not touched by that. */
export function changedElsewhereNote(file: string, lines: readonly LineRange[]): string {
  return `note: ${file} changed since you read it: ${rangeList(lines)}. Your lines were the same.`;
}

/** Another program put the old content back: an editor with an old buffer, say. */
export function changedBackNote(file: string, receipt: string): string {
  return `note: ${file} was changed back by another program to what it was before your change [${receipt}]`;
}

/** A Write would drop what others changed. */
export function staleWrite(shown: string, lines: readonly LineRange[]): Refusal {
  return refuse(
    'stale',
    `${shown} changed since you read it: ${rangeList(lines)}. Writing it whole would drop that. Read it again, then write, or use Edit.`,
  );
}

/** A Write over a file that the session never saw, where that is not allowed. */
export function unseenWrite(shown: string, lines: number): Refusal {
  return refuse(
    'stale',
    `${shown} is there already (${lines} ${lines === 1 ? 'line' : 'lines'}) and you have not read it. Read it first, then write.`,
  );
}

/** Says how a file comes back that was written over without having been read. */
export function unseenWriteNote(receipt: string): string {
  return `note: you had not read this file; its old content is kept: Undo {"id":"${receipt}"} brings it back (from a shell: emend call Undo '{"id":"${receipt}"}')`;
}

/** Content that came with LF over a file with other line ends. */
export function keptEndingsNote(kept: 'crlf' | 'cr'): string {
  return `note: line ends kept as ${kept.toUpperCase()}`;
}

/** The only exact place is one that the session never saw, and another is like it among the lines that it did. */
export function elsewhere(
  shown: string,
  exact: number,
  seen: { readonly line: number; readonly via: string },
): Refusal {
  return refuse(
    'ambiguous',
    `2 places fit old_string in ${shown}: L${exact} exactly, but you have not read it, and L${seen.line} (${seen.via}), which you have. ` +
      'Copy the lines of the one that you mean, with a line that differs.',
  );
}

/** The same insertion again, on lines that still stand as it left them. */
export function madeBefore(receipt: string, lines: LineRange): Refusal {
  return refuse(
    'already_applied',
    `this edit was made already as [${receipt}], and its lines stand as it left them at ${rangeList([lines])}. Nothing to do. ` +
      'To make it once more, add a line to old_string.',
  );
}

/** Content that is the beginning of the file and ends in the middle of a line. */
export function cutOff(shown: string, kept: number, lines: number): Refusal {
  return refuse(
    'elision',
    `content looks cut off at line ${kept} of ${lines}: it is the beginning of ${shown} and ends within a line. ` +
      'Send all of it, or use Edit. To cut the file there, end the content with a whole line.',
  );
}
