import { type Comparison, lex } from './comparison.ts';
import { isElision } from './elision.ts';
import { type Bounds, formMatches } from './form-matches.ts';
import { CONTEXT } from './grade.ts';
import type { SquashIndex } from './squash-index.ts';
import type { Syntax } from './syntax.ts';
import { tokenize } from './tokens.ts';

/**
 * Places of an old_string whose middle is left out behind one mark, the same in both strings: lines before the mark and
 * lines after it stand in the file once each, in form, in this order.
 */
export function elidedMatch(
  index: SquashIndex,
  strings: { readonly oldString: string; readonly newString: string },
  bounds: Bounds,
): Comparison | undefined {
  const { oldString, newString } = strings;
  const lines = oldString.split('\n');
  const marks = lines.flatMap((line, at) => (isElision(line) && !index.text.includes(line.trim()) ? [at] : []));
  const [mark] = marks;
  if (mark === undefined || marks.length > 1) return undefined;
  const shown = lines[mark]?.trim() ?? '';
  if (newString.split('\n').filter((line) => line.trim() === shown).length !== 1) return undefined;
  const parts = [lines.slice(0, mark).join('\n'), lines.slice(mark + 1).join('\n')];
  const [head, tail] = parts.map((part) => {
    const isSmall = part.split('\n').filter((line) => line.trim() !== '').length < 2;
    const found = isSmall ? [] : formMatches(index, part, bounds);
    return found.length === 1 ? found[0] : undefined;
  });
  if (!head || !tail || head.edges.end > tail.edges.start) return undefined;
  return joined(index.text, lex(oldString, bounds.syntax), { head, tail, syntax: bounds.syntax });
}

interface Halves {
  readonly head: Comparison;
  readonly tail: Comparison;
  readonly syntax: Syntax;
}

function joined(text: string, old: Comparison['old'], { head, tail, syntax }: Halves): Comparison | undefined {
  const [first, last] = [head.file[0], tail.file.at(-1)];
  if (!first || !last) return undefined;
  const file = tokenize(text, { start: first.start, end: last.end }, syntax);
  const indexByStart = new Map(file.map((token, at) => [token.start, at]));
  const pairs = new Int32Array(old.tokens.length).fill(-1);
  const place = (half: Comparison, from: number): void => {
    for (const [at, pair] of half.pairs.entries()) {
      const token = half.file[pair];
      if (token) pairs[from + at] = indexByStart.get(token.start) ?? -1;
    }
  };
  place(head, 0);
  place(tail, old.tokens.length - tail.old.tokens.length);
  const edges = { ...head.edges, end: tail.edges.end, endsLine: tail.edges.endsLine };
  return { text, syntax, edges, old, file, pairs, misspelt: new Set(), grade: CONTEXT, drifted: [head.edges.end] };
}
