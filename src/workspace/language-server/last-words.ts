import { shortened } from '../truncation.ts';

/** More would hide what matters. */
const MAX_LINES = 3;
const MAX_CHARACTERS = 400;
const STACK_FRAME = /^\s+(?:at |File ")|^\s*\^+\s*$|^Node\.js v\d|^\s*[{}]\s*$/;
const ERROR = /\b(?:\w*Error|error|panic|fatal|\w*Exception)\b.*:|^\w*Error\b/;

/** What a process that ended said of why, from its standard error, in one line: its error without the stack below it. */
export function lastWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !STACK_FRAME.test(line));
  const error = lines.findLastIndex((line) => ERROR.test(line));
  const told = error === -1 ? lines.slice(-MAX_LINES) : lines.slice(error, error + MAX_LINES);
  const words = told.map((line) => line.trim()).join(' | ');
  return shortened(words, MAX_CHARACTERS);
}
