import type { Span } from '../../workspace/span.ts';

/** The merged text as it grows: pieces of the file, and pieces that are written. */
export class Output {
  readonly #text: string;
  readonly #drifted: readonly number[];
  readonly #spans: Span[] = [];
  readonly #kept: number[] = [];
  #merged = '';

  /** `drifted`: offsets in the file whose place in the merged text is wanted. */
  constructor(text: string, drifted: readonly number[]) {
    this.#text = text;
    this.#drifted = drifted;
  }

  write(piece: string): void {
    this.#merged += piece;
  }

  /** Appends the file's own bytes, or the same with other indentation. */
  keep(start: number, end: number, shifted?: string): void {
    for (const offset of this.#drifted) {
      if (offset >= start && offset < end) this.#kept.push(this.#merged.length + offset - start);
    }
    this.#spans.push({ start, end });
    this.#merged += shifted ?? this.#text.slice(start, end);
  }

  hasKept({ start, end }: Span): boolean {
    return this.#spans.some((span) => span.start <= start && end <= span.end);
  }

  endsWith(piece: string): boolean {
    return this.#merged.endsWith(piece);
  }

  finished(): { readonly text: string; readonly kept: readonly number[] } {
    return { text: this.#merged, kept: this.#kept };
  }
}
