import { type Comparison, type Lexed, tokenLines } from '../match/comparison.ts';
import { countBreaks } from '../match/gap.ts';
import { WRITTEN } from './anchors.ts';
import { depthConflict } from './depth.ts';

interface Sources {
  readonly origins: Int32Array;
  readonly sources: Int32Array;
}

/**
 * Where the edit changes what drifted in more than form: an offset in the file, or `undefined`. A token of old_string
 * that new_string drops must stand in the file, in the same spelling, unless the file says already what is to be.
 */
export function findConflict(
  compared: Comparison,
  { origins, sources, now }: Sources & { readonly now: Lexed },
): number | undefined {
  const { old, file, pairs, misspelt, edges } = compared;
  const kept = new Set(origins);
  const adopted = new Set(sources);
  for (const [index] of old.tokens.entries()) {
    if (kept.has(index)) continue;
    const pair = pairs[index] ?? -1;
    if (pair >= 0 && (!misspelt.has(index) || adopted.has(pair))) continue;
    if (pair < 0 && isAdoptedAround(compared, adopted, index)) continue;
    return file[pair]?.start ?? file[pairs.find((p, k) => k > index && p >= 0) ?? -1]?.start ?? edges.end;
  }
  return (
    findBrokenLine(compared, { origins, sources, now }) ??
    findRequoted(compared, { origins, sources }) ??
    depthConflict(compared, changedLines(old, origins, { sources, now, beside: true }))
  );
}

/** A dropped token without a counterpart, where the file's tokens about it are all what new_string has there. */
function isAdoptedAround({ pairs, file }: Comparison, adopted: ReadonlySet<number>, index: number): boolean {
  let [low, high] = [index, index];
  while (low >= 0 && (pairs[low] ?? -1) < 0) low -= 1;
  while (high < pairs.length && (pairs[high] ?? -1) < 0) high += 1;
  const [from, to] = [
    low < 0 ? -1 : (pairs[low] ?? -1),
    high < pairs.length ? (pairs[high] ?? file.length) : file.length,
  ];
  if (to - from <= 1) return false;
  for (let k = from + 1; k < to; k++) if (!adopted.has(k)) return false;
  return true;
}

const OPENS = /^[([{,.:=+\-*/&|<>^%]$/;
const CLOSES = /^[)\]}{,.:;=|<>?]$/;

/**
 * A line that the edit changes may stand over other lines in the file only where the break is one of layout: inside
 * brackets, or beside a bracket or an operator. Two statements run together are not one.
 */
function findBrokenLine(
  { text, old, file, pairs }: Comparison,
  { origins, sources, now }: Sources & { readonly now: Lexed },
): number | undefined {
  const changed = changedLines(old, origins, { sources, now, beside: false });
  let depth = 0;
  let line = 0;
  for (let index = 0; index + 1 < old.tokens.length; index++) {
    const [left, right] = [old.tokens[index], old.tokens[index + 1]];
    const [realLeft, realRight] = [file[pairs[index] ?? -1], file[pairs[index + 1] ?? -1]];
    if (!left || !right) continue;
    if (/^[([]$/.test(left.key)) depth += 1;
    if (/^[)\]]$/.test(left.key)) depth = Math.max(0, depth - 1);
    const gap = old.text.slice(left.end, right.start);
    const breaks = countBreaks(gap);
    const isChanged = changed.has(line) || (breaks > 0 && changed.has(line + breaks));
    line += breaks;
    if (!realLeft || !realRight || !isChanged || (pairs[index + 1] ?? 0) !== (pairs[index] ?? 0) + 1) continue;
    const isBroken = /[\r\n]/.test(text.slice(realLeft.end, realRight.start));
    if (isBroken === breaks > 0 || depth > 0 || OPENS.test(left.key) || CLOSES.test(right.key)) continue;
    if (left.isComment && right.isComment) continue;
    return realRight.start;
  }
  return undefined;
}

/** 0-based lines of old_string that the edit drops a token of, or writes one on; `beside`: those next to new text too. */
function changedLines(
  old: Lexed,
  origins: Int32Array,
  { sources, now, beside }: { readonly sources: Int32Array; readonly now: Lexed; readonly beside: boolean },
): ReadonlySet<number> {
  const lines = tokenLines(old);
  const kept = new Set(origins);
  const changed = new Set(lines.filter((_, index) => !kept.has(index)));
  if (beside) for (const line of reindentedLines(old, origins, { now, lines })) changed.add(line);
  for (const [index, source] of sources.entries()) {
    if (source !== WRITTEN) continue;
    for (const [at, from] of [
      [index - 1, index - 1],
      [index + 1, index],
    ] as const) {
      const [before, after] = [now.tokens[from], now.tokens[from + 1]];
      const line = lines[origins[at] ?? -1];
      if (line === undefined || !before || !after) continue;
      if (beside || (at < index && countBreaks(now.text.slice(before.end, after.start)) === 0)) changed.add(line);
    }
  }
  return changed;
}

/** Lines of old_string that new_string keeps at another depth. */
function reindentedLines(
  old: Lexed,
  origins: Int32Array,
  { now, lines }: { readonly now: Lexed; readonly lines: readonly number[] },
): readonly number[] {
  const indentAt = ({ text, tokens }: Lexed, index: number): string =>
    text.slice(tokens[index - 1]?.end ?? 0, tokens[index]?.start ?? 0).replace(/^.*[\r\n]/s, '\n');
  return [...origins.entries()].flatMap(([index, origin]) => {
    const [was, is] = [indentAt(old, origin), indentAt(now, index)];
    return origin > 0 && was !== is && was.startsWith('\n') && is.startsWith('\n') ? [lines[origin] ?? 0] : [];
  });
}

/** A string literal that the edit rewrites a part of, with other quotes than the file's: what is in it may mean another thing. */
function findRequoted({ text, old, file, pairs }: Comparison, { origins, sources }: Sources): number | undefined {
  const kept = new Set(origins);
  const touched = new Set<number>();
  for (const [index, { literal }] of old.tokens.entries()) if (literal >= 0 && !kept.has(index)) touched.add(literal);
  for (const [index, source] of sources.entries()) {
    const [before, after] = [old.tokens[origins[index - 1] ?? -1], old.tokens[origins[index + 1] ?? -1]];
    if (source === WRITTEN && before && after && before.literal >= 0 && before.literal === after.literal)
      touched.add(before.literal);
  }
  for (const [index, { key, start, literal }] of old.tokens.entries()) {
    const real = file[pairs[index] ?? -1];
    if (key !== "'" || !real || !touched.has(literal)) continue;
    const [yours, theirs] = [text[real.start] ?? '', old.text[start] ?? ''];
    if (yours !== theirs && /['"]/.test(yours) && /['"]/.test(theirs)) return real.start;
  }
  return undefined;
}

/** Tells of each token of the file whether it may go: old_string has it and new_string not, or it is a `,` or `;` behind one that goes. */
export function goneIn({ file, pairs }: Comparison, origins: Int32Array): (index: number) => boolean {
  const kept = new Set(origins);
  const owners = new Map([...pairs].map((pair, index) => [pair, index]));
  return (index) => {
    if (owners.has(index)) return true;
    const token = file[index];
    if (!token || !/^[,;\\]$/.test(token.key)) return false;
    const before = index === 0 ? undefined : owners.get(index - 1);
    return before !== undefined && !kept.has(before);
  };
}
