import type { Comparison } from '../match/comparison.ts';
import { isBlank } from '../match/fold.ts';
import { countBreaks, lineStart } from '../match/gap.ts';

/** The indentation of one line in old_string and in the file. */
export interface IndentPair {
  readonly old: string;
  readonly file: string;
  /** 0-based line of old_string. */
  readonly line: number;
  /** Where the line's text starts in the file. */
  readonly offset: number;
}

/** Writes old_string's indentation as the file's. */
export interface IndentMap {
  readonly isIdentity: boolean;
  /**
   * `line`: the 0-based line of old_string that the written line stands nearest to. `undefined` where lines of that
   * depth on both sides of it stand at different depths in the file.
   */
  map(indent: string, line: number): string | undefined;
  /** `shifted 4 spaces`, `tabs for spaces`, or `undefined` where nothing differs. */
  readonly detail: string | undefined;
}

/** One level of a text's indentation: a tab, or the step that most of its lines go deeper by. */
export function indentStep(text: string): string | undefined {
  let tabs = 0;
  const steps = new Map<number, number>();
  let last = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const width = indentEnd(text, start) - start;
    if (start + width < end && text[start] === '\t') {
      tabs += 1;
      last = 0;
    } else if (start + width < end) {
      const step = width - last;
      if (step > 1 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
      last = width;
    }
    start = end + 1;
  }
  const best = [...steps].sort((a, b) => b[1] - a[1])[0];
  if (tabs > 0 && tabs >= (best?.[1] ?? 0)) return '\t';
  return best ? ' '.repeat(best[0]) : undefined;
}

/** The blanks and tabs that a line begins with. */
export function leadingBlanks(line: string): string {
  return line.slice(0, indentEnd(line, 0));
}

function indentEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && isBlank(text.charCodeAt(end)) && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return end;
}

/** The pairs of lines that begin with the same token on both sides; comments, which all begin alike, up to a word. */
export function indentPairs({ old, file, pairs, text, edges }: Comparison): readonly IndentPair[] {
  const found: IndentPair[] = [];
  let line = 0;
  let offset = 0;
  for (const [index, token] of old.tokens.entries()) {
    const gap = old.text.slice(offset, token.start);
    const breaks = countBreaks(gap);
    line += breaks;
    offset = token.end;
    const real = file[pairs[index] ?? -1];
    if (!real || (breaks === 0 && index > 0)) continue;
    let word = index;
    while (old.tokens[word]?.isComment && old.tokens[word]?.kind !== 'word') word += 1;
    if (word < old.tokens.length && pairs[word] !== (pairs[index] ?? 0) + word - index) continue;
    const before = text.slice(lineStart(text, real.start), real.start);
    if (before.trim() !== '' || (index === 0 && !edges.startsLine)) continue;
    found.push({
      old: gap.slice(Math.max(gap.lastIndexOf('\n'), gap.lastIndexOf('\r')) + 1),
      file: before,
      line,
      offset: real.start,
    });
  }
  return found;
}

/**
 * The map that the pairs show. A depth that they don't show is reckoned in levels from the nearest line: old_string's
 * own step is one level of the file.
 */
export function indentMap(
  pairs: readonly IndentPair[],
  steps: { readonly old: string | undefined; readonly file: string },
): IndentMap {
  const known = withoutLostFirst(pairs);
  if (known.every(({ old, file }) => old === file)) {
    return { isIdentity: true, map: (indent) => indent, detail: undefined };
  }
  const byDepth = new Map<string, IndentPair[]>();
  for (const pair of known) {
    const same = byDepth.get(pair.old);
    if (same) same.push(pair);
    else byDepth.set(pair.old, [pair]);
  }
  const shown = { depths: byDepth.size, shifts: new Set(known.map(shiftOf)).size };
  const map = (indent: string, line: number): string | undefined => {
    const [above, below] = around(byDepth.get(indent) ?? [], line);
    if (above && below && above.file !== below.file) return undefined;
    const direct = above ?? below;
    if (direct) return direct.file;
    const base = nearest(known, line);
    return base ? reckoned(indent, base, shown, steps) : indent;
  };
  return { isIdentity: false, map, detail: detailOf(known) };
}

/** Without the first line where it alone stands against the others: it may have lost its indentation. */
export function withoutLostFirst(pairs: readonly IndentPair[]): readonly IndentPair[] {
  const [first, ...rest] = pairs;
  if (!first || rest.length === 0 || first.line !== 0) return pairs;
  const shifts = (list: readonly IndentPair[]): number => new Set(list.map((pair) => shiftOf(pair))).size;
  return shifts(rest) < shifts(pairs) && first.old.length < first.file.length ? rest : pairs;
}

/** The nearest pairs at or above a line, and at or below it. Pairs stand in the order of their lines. */
function around(pairs: readonly IndentPair[], line: number): readonly [IndentPair | undefined, IndentPair | undefined] {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pairs[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  const below = pairs[low];
  return [below?.line === line ? below : pairs[low - 1], below];
}

function nearest(pairs: readonly IndentPair[], line: number): IndentPair | undefined {
  const [above, below] = around(pairs, line);
  if (!above || !below) return above ?? below;
  return below.line - line < line - above.line ? below : above;
}

function reckoned(
  indent: string,
  base: IndentPair,
  { depths, shifts }: { readonly depths: number; readonly shifts: number },
  steps: { readonly old: string | undefined; readonly file: string },
): string {
  const width = columns(indent) - columns(base.old);
  const isShift = depths > 1 && shifts === 1 && !/\t/.test(indent + base.old) && !/\t/.test(base.file);
  const step = isShift ? 1 : steps.old === undefined ? 0 : columns(steps.old);
  if (step === 0 || (!isShift && width % step !== 0)) return adjusted(base.file, ' ', width);
  return isShift ? adjusted(base.file, ' ', width) : adjusted(base.file, steps.file, width / step);
}

function adjusted(base: string, unit: string, count: number): string {
  if (count >= 0) return base + unit.repeat(count);
  return base.slice(0, Math.max(0, base.length + count * unit.length));
}

/** What a tab is worth in blanks when levels are reckoned: only differences of it count. */
const TAB = 4;

function columns(indent: string): number {
  return indent.length + (TAB - 1) * (indent.match(/\t/g)?.length ?? 0);
}

const shiftOf = ({ old, file }: IndentPair): string => {
  if (old.endsWith(file)) return `-${old.slice(0, old.length - file.length)}`;
  if (file.endsWith(old)) return `+${file.slice(0, file.length - old.length)}`;
  return `${old}:${file}`;
};

function detailOf(pairs: readonly IndentPair[]): string | undefined {
  const differing = pairs.filter(({ old, file }) => old !== file);
  const shift = new Set(pairs.map(shiftOf)).size === 1 ? pairs[0] : undefined;
  if (shift) {
    const count = Math.abs(shift.file.length - shift.old.length);
    const unit = /^\t+$/.test(shift.file + shift.old) ? 'tab' : 'space';
    return `shifted ${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  if (differing.every(({ old, file }) => /^ *$/.test(old) && /\t/.test(file))) return 'tabs for spaces';
  if (differing.every(({ old, file }) => /\t/.test(old) && /^ *$/.test(file))) return 'spaces for tabs';
  return 'indentation';
}
