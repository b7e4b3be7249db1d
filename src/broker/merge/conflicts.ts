import type { Comparison, Lexed } from '../match/comparison.ts';

export interface Sources {
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
  const { text, old, file, pairs, misspelt, edges } = compared;
  const kept = new Set(origins);
  const adopted = new Set(sources);
  for (const [index] of old.tokens.entries()) {
    if (kept.has(index)) continue;
    const pair = pairs[index] ?? -1;
    if (pair >= 0 && (!misspelt.has(index) || adopted.has(pair))) continue;
    if (pair < 0 && isAdoptedAround(compared, adopted, index)) continue;
    return file[pair]?.start ?? file[pairs.find((p, k) => k > index && p >= 0) ?? -1]?.start ?? edges.end;
  }
  return findBrokenLine(compared, { origins, sources, now }) ?? (text === '' ? 0 : undefined);
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
  const changed = changedLines(old, origins, { sources, now });
  let depth = 0;
  let line = 0;
  for (let index = 0; index + 1 < old.tokens.length; index++) {
    const [left, right] = [old.tokens[index], old.tokens[index + 1]];
    const [realLeft, realRight] = [file[pairs[index] ?? -1], file[pairs[index + 1] ?? -1]];
    if (!left || !right) continue;
    if (/^[([]$/.test(left.key)) depth += 1;
    if (/^[)\]]$/.test(left.key)) depth = Math.max(0, depth - 1);
    const gap = old.text.slice(left.end, right.start);
    const breaks = gap.match(/\r\n|\r|\n/g)?.length ?? 0;
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

/** 0-based lines of old_string that the edit drops a token of, or writes one beside. */
function changedLines(
  old: Lexed,
  origins: Int32Array,
  { sources, now }: { readonly sources: Int32Array; readonly now: Lexed },
): ReadonlySet<number> {
  const lineOf: number[] = [];
  let [offset, line] = [0, 0];
  for (const token of old.tokens) {
    line += old.text.slice(offset, token.start).match(/\r\n|\r|\n/g)?.length ?? 0;
    offset = token.end;
    lineOf.push(line);
  }
  const kept = new Set(origins);
  const changed = new Set<number>();
  for (const [index, at] of lineOf.entries()) if (!kept.has(index)) changed.add(at);
  for (const [index, source] of sources.entries()) {
    if (source !== -1) continue;
    const [before, after] = [now.tokens[index - 1], now.tokens[index]];
    const isSameLine = before && after && !/[\r\n]/.test(now.text.slice(before.end, after.start));
    const origin = origins[index - 1] ?? -1;
    const at = isSameLine && origin >= 0 ? lineOf[origin] : undefined;
    if (at !== undefined) changed.add(at);
  }
  return changed;
}

/** Whether a token of the file may go: old_string has it and new_string not, or it is a `,` or `;` behind one that goes. */
export function isGone({ file, pairs }: Comparison, { origins }: Sources, index: number): boolean {
  const kept = new Set(origins);
  const owner = pairs.indexOf(index);
  if (owner >= 0) return true;
  const token = file[index];
  if (!token || !/^[,;\\]$/.test(token.key)) return false;
  const before = pairs.indexOf(index - 1);
  return before >= 0 && !kept.has(before);
}
