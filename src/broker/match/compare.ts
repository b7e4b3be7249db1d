import type { Span } from '../../workspace/span.ts';
import { type CompareOptions, type Comparison, type Laid, type Lexed, tokenLines } from './comparison.ts';
import { edgesOf } from './edges.ts';
import { countBreaks, gradeGap } from './gap.ts';
import { BLOCK_ANCHOR, CONTEXT, ESCAPE, EXACT, type Grade, UNICODE } from './grade.ts';
import { gradeBlock } from './grade-block.ts';
import { hasCode, pairTokens } from './pair-tokens.ts';
import { type Token, tokenize } from './tokens.ts';

/** What reading a window into tokens costs, in steps. */
const STEPS_A_CHARACTER = 4;

/** Looks for old_string within a window of the file; `undefined` where they differ in more than may be forgiven. */
export function compare(old: Lexed, text: string, window: Span, options: CompareOptions): Comparison | undefined {
  if (!options.budget.spend(STEPS_A_CHARACTER * (window.end - window.start))) return undefined;
  const around = tokenize(text, window, options.syntax);
  const found = pairTokens(old.tokens, around, options);
  if (!found) return undefined;
  const paired = found.filter((index) => index >= 0);
  const [first, last] = [paired[0], paired.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const rest = options.forgive === 'context' ? commentAfter(text, around, last) : last;
  const file = around.slice(first, rest + 1);
  const pairs = found.map((index) => (index < 0 ? -1 : index - first));
  const inner = { start: around[first]?.start ?? 0, end: around[last]?.end ?? 0 };
  const blanks = {
    lead: old.text.slice(0, old.tokens[0]?.start ?? 0),
    tail: old.text.slice(old.tokens.at(-1)?.end ?? 0),
  };
  const edges = edgesOf(text, inner, blanks, around[rest]?.end ?? 0);
  if (!edges) return undefined;
  if (!endsAtMark(old, pairs, { text, end: edges.end, isLine: edges.endsLine })) return undefined;
  return judge({ text, syntax: options.syntax, edges, old, file, pairs }, options);
}

/** Whether a last `,` or `;` that only old_string has may be missing: where the file's line or bracket ends. */
function endsAtMark(
  { tokens }: Lexed,
  pairs: Int32Array,
  { text, end, isLine }: { readonly text: string; readonly end: number; readonly isLine: boolean },
): boolean {
  const last = tokens.at(-1);
  if (!last || !/^[,;]$/.test(last.key) || (pairs.at(-1) ?? -1) >= 0 || isLine) return true;
  return /^[^\S\r\n]*[)\]}]/.test(text.slice(end, end + 40));
}

/** The last of the comment tokens that follow `index` on its line, where nothing else does. */
function commentAfter(text: string, tokens: readonly Token[], index: number): number {
  const from = tokens[index]?.end ?? 0;
  let end = index;
  for (let i = index + 1; i < tokens.length; i++) {
    const token = tokens[i];
    if (!token || /[\r\n]/.test(text.slice(from, token.start))) break;
    if (!token.isComment) return index;
    end = i;
  }
  return end;
}

/** Walks from pair to pair and grades what lies between: nothing but a gap, or tokens that only one side has. */
function judge(laid: Laid, options: CompareOptions): Comparison | undefined {
  const { text, edges, old, file } = laid;
  const pairs = Int32Array.from(laid.pairs);
  const misspelt = new Set<number>();
  const drifted: number[] = [];
  let grade: Grade = edges.grade;
  let [i, j] = [0, 0];
  let hasLayout = false;
  let hasOtherFlags = false;
  for (let next = 0; next <= old.tokens.length; next++) {
    const pair = next < old.tokens.length ? (pairs[next] ?? -1) : file.length;
    if (pair < 0) continue;
    const block = { old: old.tokens.slice(i, next), file: file.slice(j, pair) };
    if (block.old.length === 0 && block.file.length === 0) {
      const sides = { left: old.tokens[i - 1], right: old.tokens[next] };
      const others = { left: file[j - 1], right: file[pair] };
      if (sides.left && sides.right && others.left && others.right) {
        const [gap, fileGap] = [between(old.text, sides.left, sides.right), between(text, others.left, others.right)];
        const graded = gradeGap(gap, fileGap, inLiteral(sides.left, sides.right) ? sides : others);
        if (graded === undefined) return undefined;
        hasLayout ||= (countBreaks(gap) === 0) !== (countBreaks(fileGap) === 0);
        grade = Math.max(grade, graded);
      }
    } else {
      const graded = gradeBlock(block, { laid, options, i, j });
      if (graded === undefined) return undefined;
      for (const [yours, index] of graded.misspelt) {
        misspelt.add(yours);
        pairs[yours] = index;
      }
      if (graded.grade >= BLOCK_ANCHOR) drifted.push(block.file[0]?.start ?? file[j - 1]?.end ?? edges.start);
      grade = Math.max(grade, graded.grade);
    }
    const [mine, real] = [old.tokens[next], file[pair]];
    if (mine && real) {
      const form = gradeForm(old.text.slice(mine.start, mine.end), text.slice(real.start, real.end));
      if (form === undefined) return undefined;
      grade = Math.max(grade, form);
      hasOtherFlags ||= mine.isComment !== real.isComment;
    }
    [i, j] = [next + 1, pair + 1];
  }
  if (hasLayout && hasOtherFlags) return undefined;
  if (options.forgive === 'context' && !knowsItsComments({ ...laid, pairs })) return undefined;
  if (grade >= BLOCK_ANCHOR) grade = hasIntactEnds({ ...laid, pairs }, misspelt) ? BLOCK_ANCHOR : CONTEXT;
  return { ...laid, pairs, misspelt, grade, drifted };
}

const between = (text: string, left: Token, right: Token): string => text.slice(left.end, right.start);
const inLiteral = (left: Token, right: Token): boolean => left.literal >= 0 && left.literal === right.literal;

/** Two tokens with one key: how they are written. An entity that only the file has is an escape, one of old_string's none. */
function gradeForm(yours: string, real: string): Grade | undefined {
  if (yours === real) return EXACT;
  if (isEscape(yours)) return undefined;
  return isEscape(real) ? ESCAPE : UNICODE;
}

const isEscape = (text: string): boolean => text.length > 1 && (text.startsWith('&') || text.includes('\\'));

/**
 * Whether comments in other words may still be the same: where there is little else, most of each line must stand there;
 * and a line that the file has elsewhere belongs there.
 */
function knowsItsComments({ text, old, pairs }: Laid): boolean {
  const isMissing = (index: number): boolean => old.tokens[index]?.isComment === true && (pairs[index] ?? -1) < 0;
  const missing = old.tokens.filter((_, index) => isMissing(index)).length;
  if (missing === 0) return true;
  const isKnown = hasCode(old.tokens);
  if (!isKnown && missing > old.tokens.length / 4) return false;
  let [first, offset] = [0, 0];
  for (const line of old.text.split('\n')) {
    offset += line.length + 1;
    let [end, absent] = [first, 0];
    for (; end < old.tokens.length && (old.tokens[end]?.start ?? 0) < offset; end++) absent += isMissing(end) ? 1 : 0;
    const isOther = end - first > 3 && absent * 2 > end - first;
    if (isOther && (!isKnown || text.includes(line.trim()))) return false;
    first = end;
  }
  return true;
}

/** Whether the first and the last line of old_string stand in the file word for word. */
function hasIntactEnds({ old, pairs }: Pick<Laid, 'old' | 'pairs'>, misspelt: ReadonlySet<number>): boolean {
  const lines = tokenLines(old);
  const [first, last] = [lines[0], lines.at(-1)];
  return lines.every((line, index) => {
    return (line !== first && line !== last) || ((pairs[index] ?? -1) >= 0 && !misspelt.has(index));
  });
}
