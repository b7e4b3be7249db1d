import type { Comparison } from '../match/comparison.ts';
import { type IndentPair, indentPairs, withoutLostFirst } from './indentation.ts';

/**
 * Where a touched line stands at another depth among its lines than old_string says, in a language in which depth is
 * meaning: an offset in the file, or `undefined`. Lines inside brackets may stand anywhere.
 */
export function depthConflict(compared: Comparison, touched: ReadonlySet<number>): number | undefined {
  if (!compared.syntax.isOffside) return undefined;
  const inside = linesInBrackets(compared);
  const pairs = withoutLostFirst(indentPairs(compared)).filter(({ line }) => !inside.has(line));
  if (pairs.every(({ old, file }) => old === file)) return undefined;
  const depths = [...new Map(pairs.map((pair) => [`${pair.old}:${pair.file}`, pair])).values()];
  const turned = new Map<string, boolean>();
  for (const pair of pairs) {
    if (!touched.has(pair.line)) continue;
    const key = `${pair.old}:${pair.file}`;
    const isOne = turned.get(key) ?? depths.some((other) => isTurned(pair, other));
    if (isOne) return pair.offset;
    turned.set(key, isOne);
  }
  return undefined;
}

/** Whether two lines are deeper, as deep or less deep than one another in the file otherwise than in old_string. */
function isTurned(a: IndentPair, b: IndentPair): boolean {
  return Math.sign(columns(a.old) - columns(b.old)) !== Math.sign(columns(a.file) - columns(b.file));
}

/** A tab goes to the next eighth column, as languages read it in which depth is meaning. */
function columns(indent: string): number {
  let count = 0;
  for (const character of indent) count += character === '\t' ? 8 - (count % 8) : 1;
  return count;
}

function linesInBrackets({ old }: Comparison): ReadonlySet<number> {
  const inside = new Set<number>();
  let [depth, line, offset] = [0, 0, 0];
  for (const token of old.tokens) {
    for (const _ of old.text.slice(offset, token.start).match(/\r\n|\r|\n/g) ?? []) {
      line += 1;
      if (depth > 0) inside.add(line);
    }
    offset = token.end;
    if (/^[([{]$/.test(token.key)) depth += 1;
    if (/^[)\]}]$/.test(token.key)) depth = Math.max(0, depth - 1);
  }
  return inside;
}
