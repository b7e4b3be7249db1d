import type { Budget } from './budget.ts';
import type { Edges } from './edges.ts';
import { countBreaks } from './gap.ts';
import type { Grade } from './grade.ts';
import type { Syntax } from './syntax.ts';
import { type Token, tokenize } from './tokens.ts';

/** A text with its tokens. */
export interface Lexed {
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** The tokens of a whole text. */
export function lex(text: string, syntax: Syntax): Lexed {
  return { text, tokens: tokenize(text, { start: 0, end: text.length }, syntax) };
}

/** The 0-based line of each token. */
export function tokenLines({ text, tokens }: Lexed): readonly number[] {
  let [offset, line] = [0, 0];
  return tokens.map((token) => {
    line += countBreaks(text.slice(offset, token.start));
    offset = token.end;
    return line;
  });
}

/** old_string laid over a span of the file, token by token. */
export interface Comparison {
  readonly text: string;
  readonly syntax: Syntax;
  readonly edges: Edges;
  readonly old: Lexed;
  /** The file's tokens from the first paired one to the last, or to a comment that ends its line. */
  readonly file: readonly Token[];
  /** For each of old_string's tokens the index in `file`, or -1 where the file has none. */
  readonly pairs: Int32Array;
  /** Tokens of old_string that are paired with another spelling. */
  readonly misspelt: ReadonlySet<number>;
  /** The strictest strategy that forgives every difference. */
  readonly grade: Grade;
  /** Offsets in the file where kept words differ from old_string's. */
  readonly drifted: readonly number[];
}

/** `form`: the look of tokens and the blanks between them. `context`: slips of the pen and comments too. */
type Forgiven = 'form' | 'context';

/** What two texts are compared by, and how much work that may be. */
export interface CompareOptions {
  readonly syntax: Syntax;
  readonly forgive: Forgiven;
  /** `loosely`: any slip of the pen, also one that makes another word: to find places that might be meant as well. */
  readonly misspelt?: 'loosely';
  readonly budget: Budget;
}

/** A comparison that is not judged yet. */
export type Laid = Omit<Comparison, 'misspelt' | 'grade' | 'drifted'>;
