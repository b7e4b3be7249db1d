import type { Comparison } from '../match/comparison.ts';
import { countBreaks, splitGap, toLineFeeds } from '../match/gap.ts';
import { fileIndent, isLineFirst, oldIndent } from './anchor-lines.ts';
import type { Anchor } from './anchors.ts';
import type { Form } from './form.ts';
import type { Output } from './output.ts';

/** A gap of new_string (line ends as `\n`) and the anchors right beside it, where there are any. */
interface NewGap {
  readonly gap: string;
  readonly left: Anchor | undefined;
  readonly right: Anchor | undefined;
}

/** Writes blanks and line ends: the file's own where new_string has the same as old_string, else in the file's form. */
export class GapWriter {
  /** Whether a line was to be written at a depth that the file does not show. */
  isTorn = false;
  readonly #compared: Comparison;
  readonly #form: Form;
  readonly #output: Output;
  /** File gaps (by the token before) whose line ends were kept although old_string has others there. */
  readonly #usedGaps = new Set<number>();
  /** The indentation of the line that is being written, in the file and as written. */
  #shift = { from: '', to: '' };

  constructor(compared: Comparison, form: Form, output: Output) {
    this.#compared = compared;
    this.#form = form;
    this.#output = output;
  }

  /** `offset`: where in the file it is written. False where the file's blank lines may belong on either side. */
  write({ gap, left, right }: NewGap, offset: number): boolean {
    const now = splitGap(gap);
    if (left?.file === -1 && this.#compared.edges.startsLine && now.breaks === '') {
      this.#writeIndent(gap, { gap, left, right });
      return true;
    }
    if (now.breaks === '') {
      this.#output.write(this.#inline({ gap, left, right }));
      return true;
    }
    const breaks = this.#breaks(now.breaks, { gap, left, right }, offset);
    if (breaks === undefined) return false;
    this.#output.write(now.trail + breaks);
    this.#writeIndent(now.indent, { gap, left, right });
    return true;
  }

  /** A gap between two kept tokens with nothing but blanks in new_string, and others than old_string has. */
  rewrite(was: string, { left, right }: { readonly left: Anchor; readonly right: Anchor }, now: string): boolean {
    const { text, edges } = this.#compared;
    const file = text.slice(left.fileEnd, right.fileStart);
    const [oldGap, newGap, fileGap] = [splitGap(was), splitGap(now), splitGap(file)];
    const hasTokens = right.file - left.file > 1;
    const isLine = oldGap.breaks !== '' && newGap.breaks !== '' && fileGap.breaks !== '';
    const isInline = oldGap.breaks + newGap.breaks + fileGap.breaks === '' && left.file >= 0;
    if (isInline && was !== '' && now !== '' && file !== was) return false;
    if (hasTokens && (!isLine || newGap.breaks !== oldGap.breaks)) return false;
    if (!isLine) {
      const startsText = left.file === -1 && edges.startsLine;
      if (newGap.breaks === '' && !startsText) this.#output.write(this.#form.write(now));
      else {
        this.#output.write(newGap.breaks === '' ? '' : newGap.trail + this.#form.breaks(newGap.breaks, left.fileEnd));
        this.#indent(this.#mapped(newGap.breaks === '' ? now : newGap.indent, right), right);
      }
      return true;
    }
    const indent = newGap.indent === oldGap.indent ? fileGap.indent : this.#mapped(newGap.indent, right);
    const trail = newGap.trail === oldGap.trail ? fileGap.trail : newGap.trail;
    const breaks = newGap.breaks === oldGap.breaks ? fileGap.breaks : this.#form.breaks(newGap.breaks, left.fileEnd);
    this.#shift = { from: fileGap.indent, to: indent };
    this.#output.keep(left.fileEnd, right.fileStart, trail + this.shifted(breaks) + indent);
    return true;
  }

  /** Further lines of a kept line that the file has laid out over several, moved as the first was. */
  shifted(piece: string): string {
    const { from, to } = this.#shift;
    if (from === to) return piece;
    return piece.replace(/(?<=[\r\n])[^\S\r\n]+(?=\S)/g, (indent) =>
      indent.startsWith(from) ? to + indent.slice(from.length) : indent,
    );
  }

  #inline({ gap, left, right }: NewGap): string {
    if (left?.oldAfter === gap && countBreaks(left.fileAfter) === 0) return left.fileAfter;
    if (right?.oldBefore === gap && countBreaks(right.fileBefore) === 0) return right.fileBefore;
    return this.#form.write(gap);
  }

  /** The file's line ends where new_string has the same as old_string beside an anchor, else new ones. */
  #breaks(breaks: string, { left, right }: NewGap, offset: number): string | undefined {
    const isEnd = right?.file === this.#compared.file.length;
    const sides = [
      { was: left?.oldAfter, file: left?.fileAfter, gap: left?.file },
      { was: right?.oldBefore, file: right?.fileBefore, gap: right && right.file - 1 },
    ];
    for (const [side, { was, file, gap }] of sides.entries()) {
      if (was === undefined || file === undefined || gap === undefined) continue;
      const [oldBreaks, fileBreaks] = [splitGap(toLineFeeds(was)).breaks, splitGap(file).breaks];
      if (oldBreaks !== breaks || (fileBreaks === '' && !(side === 1 && isEnd))) continue;
      if (toLineFeeds(fileBreaks) === oldBreaks) return fileBreaks;
      if (this.#usedGaps.has(gap)) return undefined;
      this.#usedGaps.add(gap);
      return fileBreaks;
    }
    return this.#form.breaks(breaks, offset);
  }

  #writeIndent(indent: string, { gap, left, right }: NewGap): void {
    const { text, file } = this.#compared;
    if (right && right.file < file.length && isLineFirst(this.#compared, right) && oldIndent(right) === indent) {
      this.#indent(fileIndent(text, right), right);
    } else if (left?.file === -1 && left.oldAfter === gap && countBreaks(gap) === 0) {
      this.#indent(splitGap(left.fileAfter).breaks === '' ? left.fileAfter : splitGap(left.fileAfter).indent, right);
    } else if (right?.file === file.length && left?.file !== -1) {
      this.#indent(indent, right);
    } else this.#indent(this.#mapped(indent, right ?? left), right);
  }

  #indent(indent: string, right: Anchor | undefined): void {
    const isKept = right !== undefined && right.file < this.#compared.file.length;
    this.#shift = isKept ? { from: fileIndent(this.#compared.text, right), to: indent } : { from: '', to: '' };
    this.#output.write(indent);
  }

  #mapped(indent: string, anchor: Anchor | undefined): string {
    const mapped = this.#form.indentation.map(indent, anchor?.oldLine ?? 0);
    this.isTorn ||= mapped === undefined;
    return mapped ?? indent;
  }
}
