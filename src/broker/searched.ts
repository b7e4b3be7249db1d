import type { Span } from '../workspace/span.ts';
import { Budget } from './match/budget.ts';
import { candidates } from './match/candidates.ts';
import { type Comparison, lex } from './match/comparison.ts';
import { type SquashIndex, squashIndex } from './match/squash-index.ts';
import type { Syntax } from './match/syntax.ts';
import { type Merge, merge } from './merge/merge.ts';

/** So many characters of a text are indexed in one step. */
const CHARACTERS_A_STEP = 16;

/** A text that is searched, and what is made of it once at most. */
export class Searched {
  readonly text: string;
  readonly syntax: Syntax;
  readonly budget: Budget;
  #index: SquashIndex | undefined;
  #isIndexPaid = false;
  readonly #candidates = new Map<string, readonly Span[]>();
  readonly #merges = new Map<Comparison, { readonly newString: string; readonly merged: Merge | undefined }>();

  constructor(text: string, syntax: Syntax, budget: Budget = new Budget()) {
    this.budget = budget;
    this.text = text;
    this.syntax = syntax;
  }

  /** Where old_string's lines lie thickest, likeliest first. */
  candidatesOf(oldString: string): readonly Span[] {
    const known = this.#candidates.get(oldString);
    if (known) return known;
    this.budget.spend(oldString.length + this.index.lineCount);
    const found = candidates(this.index, oldString);
    this.#candidates.set(oldString, found);
    return found;
  }

  get index(): SquashIndex {
    this.payForIndex();
    this.#index ??= squashIndex(this.text);
    return this.#index;
  }

  /** Pays for the index, once; false where the budget does not suffice. */
  payForIndex(): boolean {
    if (!this.#isIndexPaid) this.budget.spend(Math.ceil(this.text.length / CHARACTERS_A_STEP));
    this.#isIndexPaid = true;
    return !this.budget.isGone;
  }

  /** What a place becomes; `undefined` where the budget does not suffice to say. */
  merge(match: Comparison, newString: string): Merge | undefined {
    const known = this.#merges.get(match);
    if (known?.newString === newString) return known.merged;
    const isPaid = this.budget.spend(newString.length);
    const merged = isPaid ? merge(match, lex(newString, this.syntax), this.budget) : undefined;
    this.#merges.set(match, { newString, merged });
    return merged;
  }
}
