import type { Span } from '../../workspace/span.ts';
import type { Budget } from './budget.ts';
import { compare } from './compare.ts';
import { type Comparison, type Lexed, lex } from './comparison.ts';
import { isBlank } from './fold.ts';
import { offsetOfPosition, type SquashIndex, squashed } from './squash-index.ts';
import type { Syntax } from './syntax.ts';

/** What looking at one place costs beside reading it. */
const STEPS_A_HIT = 100;
/** Less than this many characters, blanks aside, may stand anywhere. */
const MIN_NEEDLE = 3;

/** How a text is read, and what reading it may cost. */
export interface Bounds {
  readonly syntax: Syntax;
  readonly budget: Budget;
}

/** All places that differ from old_string in form only, strictest first. */
export function formMatches(index: SquashIndex, oldString: string, { syntax, budget }: Bounds): readonly Comparison[] {
  if (!budget.spend(oldString.length)) return [];
  const needle = squashed(oldString);
  if (needle.length < MIN_NEEDLE) return [];
  const beginsWithMarks = MARKS_ALONE.test(oldString);
  let old: Lexed | undefined;
  const found = new Map<number, Comparison>();
  for (
    let at = index.bytes.indexOf(needle);
    at >= 0 && budget.spend(STEPS_A_HIT);
    at = index.bytes.indexOf(needle, at + 1)
  ) {
    old ??= lex(oldString, syntax);
    const compared = compare(old, index.text, windowOf(index, { at, length: needle.length, beginsWithMarks }), {
      syntax,
      forgive: 'form',
      budget,
    });
    if (compared) found.set(compared.edges.start, compared);
  }
  return [...found.values()].sort((a, b) => rankOf(a) - rankOf(b));
}

/** A first line of nothing but marks that the index drops. */
const MARKS_ALONE = /^\s*[,;\\]+[^\S\n]*\n/;
const MARKS_BEFORE = /[,;\\]+\s*$/;

interface Hit {
  /** In bytes of the index. */
  readonly at: number;
  readonly length: number;
  readonly beginsWithMarks: boolean;
}

/** The text behind bytes of the index, with the marks beside it that the index drops. */
function windowOf(index: SquashIndex, { at, length, beginsWithMarks }: Hit): Span {
  const { text } = index;
  let start = offsetOfPosition(index, at);
  let end = offsetOfPosition(index, at + length - 1) + 1;
  if (text[end - 1] === '&') end = Math.min(text.length, end + 6);
  while (text[end - 1] === '.' && text[end] === '.') end += 1;
  const mark = /^[\s,;\\]{1,200}/.exec(text.slice(end, end + 200))?.[0].replace(/\s+$/, '').length ?? 0;
  if (beginsWithMarks) start -= MARKS_BEFORE.exec(text.slice(Math.max(0, start - 200), start))?.[0].length ?? 0;
  while (start > 0 && isDropped(text.charCodeAt(start - 1))) start -= 1;
  return { start, end: end + mark };
}

const isDropped = (code: number): boolean =>
  (isBlank(code) && code !== 10) || code === 0x2c || code === 0x3b || code === 0x5c;

/** A span of whole lines is stricter than one that starts or ends inside a line. */
function rankOf({ grade, edges }: Comparison): number {
  return grade * 2 + (edges.startsLine && edges.endsLine ? 0 : 1);
}

/** Those of the strictest rank: they alone decide. */
export function strictest(matches: readonly Comparison[]): readonly Comparison[] {
  const [best] = matches;
  return best ? matches.filter((match) => rankOf(match) === rankOf(best)) : [];
}
