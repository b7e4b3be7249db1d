/** An identifier of a line, in UTF-16 units from its start; `end` is not in it. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The identifiers of a line, in order. */
export function wordsOf(line: string): readonly Word[] {
  return [...line.matchAll(/#?[\p{L}_$][\p{L}\p{M}\p{N}_$]*/gu)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/**
 * The identifiers that a column of a line may mean, the likeliest first: what it stands on, then those nearest to it.
 * With `name` only those of that name. Without a column, in order.
 */
export function wordsNear(
  line: string,
  at: { readonly character?: number | undefined; readonly name?: string | undefined },
): readonly Word[] {
  const words = wordsOf(line).filter(({ text }) => at.name === undefined || isName(text, at.name));
  const { character } = at;
  if (character === undefined) return words;
  const distance = ({ start, end }: Word): number =>
    character < start ? start - character : character > end ? character - end : 0;
  return [...words].sort((a, b) => distance(a) - distance(b));
}

/** Whether a column stands on a word, or just behind it, where a cursor is that typed it. */
export function isOn(word: Word, character: number): boolean {
  return character >= word.start && character <= word.end;
}

function isName(text: string, name: string): boolean {
  return text === name || text === `#${name}` || `#${text}` === name;
}
