import type { Comparison, Lexed } from '../match/comparison.ts';
import type { Token } from '../match/tokens.ts';
import type { Rest } from './anchor-lines.ts';
import { ABSENT, type Anchor, WRITTEN } from './anchors.ts';

/** Whether a token is a `,` or `;`: what a line or the last of a list may end with or not. */
export const isMark = (token: Pick<Token, 'key'> | undefined): boolean => token?.key === ',' || token?.key === ';';

/** What stands in new_string between two anchors, by indices of its tokens. */
interface Stretch {
  readonly left: Anchor;
  readonly right: Anchor;
  readonly origins: Int32Array;
  readonly sources: Int32Array;
}

/**
 * Marks between two anchors that both strings have and the file has not, at the same place in both: before what follows
 * in old_string. They are not written. Where items were added behind the last one and end in a `,` as it does, the
 * comma that parts the two is the new one.
 */
export function unwrittenMarks(now: Lexed, { left, right, origins, sources }: Stretch): ReadonlySet<number> {
  const unwritten = new Set<number>();
  const last = right.now - 1;
  for (let index = left.now + 1; index <= last; index++) {
    const origin = origins[index] ?? -1;
    if (sources[index] !== ABSENT || !isMark(now.tokens[index])) continue;
    const next = index === last ? right.old : origins[index + 1];
    if (next === origin + 1) unwritten.add(index);
    else if (
      now.tokens[index]?.key === ',' &&
      right.old === origin + 1 &&
      sources[last] === WRITTEN &&
      now.tokens[last]?.key === ','
    )
      unwritten.add(last);
  }
  return unwritten;
}

/** Marks that only the file has behind tokens that the edit drops between two anchors. */
interface DroppedMarks {
  /** They end the line of the left anchor. */
  readonly first: Rest | undefined;
  /** They end the last dropped line, where that is another. */
  readonly last: Rest | undefined;
  /** Commas end dropped lines between the two. */
  readonly hasInner: boolean;
}

/**
 * The marks that the file has, and old_string has not, behind tokens between two anchors of old_string: at the ends of
 * the first and of the last line, and whether there is a comma at the end of another.
 */
export function droppedMarks(
  compared: Comparison,
  { left, right }: Pick<Stretch, 'left' | 'right'>,
  paired: ReadonlySet<number>,
): DroppedMarks {
  const { old } = compared;
  const [from, to] = [left.old, right.old];
  const none = { first: undefined, last: undefined, hasInner: false };
  if (from === undefined || to === undefined) return none;
  let [first, last]: (Rest | undefined)[] = [];
  let hasInner = false;
  let isLeftLine = true;
  for (let index = from + 1; index < to; index++) {
    const [token, before, next] = [old.tokens[index], old.tokens[index - 1], old.tokens[index + 1]];
    if (token && before && /[\r\n]/.test(old.text.slice(before.end, token.start))) isLeftLine = false;
    const marks = marksBehind(compared, index, paired);
    const isLast = index + 1 === to;
    const endsLine = isLast || (token && next && /[\r\n]/.test(old.text.slice(token.end, next.start)));
    if (!marks || !endsLine) continue;
    if (isLeftLine) first = marks;
    else if (isLast) last = marks;
    else hasInner ||= marks.tokens[0]?.key === ',';
  }
  return { first, last, hasInner };
}

/** Marks that only the file has right behind one of old_string's tokens. */
function marksBehind({ file, pairs }: Comparison, index: number, paired: ReadonlySet<number>): Rest | undefined {
  const real = pairs[index] ?? -1;
  const tokens: Token[] = [];
  for (let at = real + 1; real >= 0 && !paired.has(at) && isMark(file[at]); at++)
    tokens.push(...file.slice(at, at + 1));
  const [before, last] = [file[real], tokens.at(-1)];
  return before && last ? { start: before.end, end: last.end, tokens } : undefined;
}

/**
 * Whether a mark may stand between two tokens of new_string. Not where a line opens something or goes on, and not behind
 * a block, which may be a statement or a value.
 */
export function mayStand(mark: Token | undefined, before: Token | undefined, next: string): boolean {
  if (before === undefined || /^[([{:=+\-*/&|<>^%.]$/.test(before.key)) return false;
  if (mark?.key === ';' && before.key === '}') return false;
  return !/^(?:[.?:=+]|&&|\|\|)/.test(next);
}

/** How many brackets a token opens (1) or closes (-1). */
export function depthOf({ key }: Token): number {
  return /^[([{]$/.test(key) ? 1 : /^[)\]}]$/.test(key) ? -1 : 0;
}
