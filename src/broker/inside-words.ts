import type { Span } from '../workspace/span.ts';

const MAX_SHOWN = 3;
/** Places whose words are looked at; more of them are only counted. */
const MAX_LOOKED_AT = 1000;
/** Characters of a word that are looked at on each side of a place. */
const MAX_WORD = 40;
const TWO_IN_A_WORD = /^[\p{L}\p{N}_$]{2}$/u;
const HEAD = /[\p{L}\p{N}_$]*$/u;
const TAIL = /^[\p{L}\p{N}_$]*/u;

/** How many places were changed, and which words they were only a part of: `6 places, 4 inside longer words: grid, width`. */
export function placesDetail(text: string, spans: readonly Span[]): string {
  const inside = spans.filter(
    ({ start, end }) =>
      TWO_IN_A_WORD.test(text.slice(start - 1, start + 1)) || TWO_IN_A_WORD.test(text.slice(end - 1, end + 1)),
  );
  const all = `${spans.length} places`;
  if (inside.length === 0) return all;
  const words = [...new Set(inside.slice(0, MAX_LOOKED_AT).map((span) => wordAround(text, span)))];
  const more = words.length > MAX_SHOWN ? ', …' : '';
  return `${all}, ${inside.length} inside longer words: ${words.slice(0, MAX_SHOWN).join(', ')}${more}`;
}

function wordAround(text: string, { start, end }: Span): string {
  const before = HEAD.exec(text.slice(Math.max(0, start - MAX_WORD), start))?.[0] ?? '';
  const after = TAIL.exec(text.slice(end, end + MAX_WORD))?.[0] ?? '';
  const first = TAIL.exec(text.slice(start, Math.min(end, start + MAX_WORD)))?.[0] ?? '';
  if (first.length === end - start) return `${before}${first}${after}`;
  if (before !== '' && first !== '') return `${before}${first}`;
  return `${HEAD.exec(text.slice(Math.max(start, end - MAX_WORD), end))?.[0] ?? ''}${after}`;
}
