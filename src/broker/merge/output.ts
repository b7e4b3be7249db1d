import type { Span } from '../../workspace/span.ts';

const MAX_TAIL = 8;

/** The merged text as it grows: pieces of the file, and pieces that are written. */
export class Output {
  readonly #text: string;
  readonly #drifted: readonly number[];
  readonly #spans: Span[] = [];
  readonly #kept: number[] = [];
  #merged = '';
  /** Its last characters: asked of the whole, an end would cost as much as all that was written. */
  #tail = '';

  /** `drifted`: offsets in the file, in order, whose place in the merged text is wanted. */
  constructor(text: string, drifted: readonly number[]) {
    this.#text = text;
    this.#drifted = drifted;
  }

  write(piece: string): void {
    this.#merged += piece;
    this.#tail = (this.#tail + piece.slice(-MAX_TAIL)).slice(-MAX_TAIL);
  }

  /** Appends the file's own bytes, or the same with other indentation. */
  keep(start: number, end: number, shifted?: string): void {
    for (let at = firstFrom(this.#drifted, start); (this.#drifted[at] ?? end) < end; at++) {
      this.#kept.push(this.#merged.length + (this.#drifted[at] ?? start) - start);
    }
    this.#spans.push({ start, end });
    this.write(shifted ?? this.#text.slice(start, end));
  }

  /** Tells of a span of the file whether one kept piece holds all of it. */
  keptSpans(): (span: Span) => boolean {
    const spans = [...this.#spans].sort((a, b) => a.start - b.start);
    const furthest = new Int32Array(spans.length);
    for (const [index, span] of spans.entries()) furthest[index] = Math.max(span.end, furthest[index - 1] ?? 0);
    return ({ start, end }) => {
      let [low, high] = [0, spans.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((spans[middle]?.start ?? 0) <= start) low = middle + 1;
        else high = middle;
      }
      return low > 0 && (furthest[low - 1] ?? 0) >= end;
    };
  }

  /** Of a piece of a few characters. */
  endsWith(piece: string): boolean {
    return this.#tail.endsWith(piece);
  }

  finished(): { readonly text: string; readonly kept: readonly number[] } {
    return { text: this.#merged, kept: this.#kept };
  }
}

/** The index of the first of rising numbers that is not less than `least`. */
function firstFrom(rising: readonly number[], least: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
