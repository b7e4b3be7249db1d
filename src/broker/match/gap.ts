import { isBlank, isBreak, isInvisible } from './fold.ts';
import { CONTEXT, EXACT, type Grade, INDENTATION, LINE_ENDINGS, LINE_TRIMMED, UNICODE, WHITESPACE } from './grade.ts';
import type { Token } from './tokens.ts';

/** What lies between two tokens, in the parts that are compared and merged each by itself. */
interface Gap {
  /** Blanks before the first line end; all of it where there is none. */
  readonly trail: string;
  /** From the first line end to the last: line ends, and the blanks of blank lines. Empty where there is none. */
  readonly breaks: string;
  /** Blanks after the last line end. */
  readonly indent: string;
}

/**
 * What stands between two tokens: blanks before the first line break, the breaks, and the blanks after the last one.
 */
export function splitGap(text: string): Gap {
  const first = text.search(/[\r\n]/);
  if (first < 0) return { trail: text, breaks: '', indent: '' };
  const last = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  return { trail: text.slice(0, first), breaks: text.slice(first, last), indent: text.slice(last) };
}

/** Where the line of an offset starts, behind a byte order mark. */
export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !isBreak(text.charCodeAt(start - 1))) start -= 1;
  return start === 0 && text.startsWith('\ufeff') && offset > 0 ? 1 : start;
}

/** How many line ends a text has. */
export function countBreaks(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) count += 1;
  }
  return count;
}

/** The same text with `\n` for each line end. */
export const toLineFeeds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** Characters that two of which, side by side, may be another operator than the two apart. */
const OPERATORS = new Set(
  '++ -- == != <= >= && || << >> -> => := += -= *= /= %= ** // ?? ?. :: .. |> <> !! ~='.split(' '),
);

/** The tokens on both sides of a gap, `undefined` at the ends of what is compared. */
interface Sides {
  readonly left: Token | undefined;
  readonly right: Token | undefined;
}

/** How laxly two gaps are the same, or `undefined` where they are not: a string's blanks are its content. */
export function gradeGap(old: string, file: string, { left, right }: Sides): Grade | undefined {
  if (old === file) return EXACT;
  const [a, b] = [toLineFeeds(old), toLineFeeds(file)];
  if (a === b) return LINE_ENDINGS;
  const [x, y] = [splitGap(a), splitGap(b)];
  if ((x.breaks === '') !== (y.breaks === '')) return isInString({ left, right }) ? undefined : CONTEXT;
  if (x.breaks === '') return gradeInline(a, b, { left, right });
  if (countBreaks(a) !== countBreaks(b)) return CONTEXT;
  if (x.indent !== y.indent) return INDENTATION;
  return LINE_TRIMMED;
}

function gradeInline(a: string, b: string, { left, right }: Sides): Grade | undefined {
  const [plainA, plainB] = [plainBlanks(a), plainBlanks(b)];
  if (plainA === plainB) return UNICODE;
  if (isInString({ left, right })) return undefined;
  if ((plainA === '' || plainB === '') && left && right && OPERATORS.has(left.key + right.key)) return undefined;
  return WHITESPACE;
}

/** Whether a gap lies inside one string literal. */
function isInString({ left, right }: Sides): boolean {
  return left !== undefined && right !== undefined && left.literal >= 0 && left.literal === right.literal;
}

function plainBlanks(text: string): string {
  let plain = '';
  for (const character of text) {
    const code = character.charCodeAt(0);
    if (!isInvisible(code)) plain += isBlank(code) && code !== 9 ? ' ' : character;
  }
  return plain;
}
