/** Tokens (o200k) in a text, kept for texts that come again. */
export type CountTokens = (text: string) => number;

/**
 * A run of one kind of character is one piece to the tokenizer, whose time grows with the square of its length. Longer
 * runs are counted in parts of this many UTF-16 units: a few tokens more than the whole would have.
 */
const LONGEST_RUN = 256;
const RUNS = new RegExp(`\\S{${LONGEST_RUN},}|\\s{${LONGEST_RUN},}`, 'g');
const PARTS = new RegExp(`[\\s\\S]{1,${LONGEST_RUN}}`, 'g');

/** Loads the tokenizer, which takes some 60 MB. */
export async function loadTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const count = (part: string): number => (part === '' ? 0 : countTokens(part, { allowedSpecial: 'all' }));
  return (text) => {
    let [sum, from] = [0, 0];
    for (const run of text.matchAll(RUNS)) {
      sum += count(text.slice(from, run.index));
      for (const part of run[0].match(PARTS) ?? []) sum += count(part);
      from = run.index + run[0].length;
    }
    return sum + count(text.slice(from));
  };
}
