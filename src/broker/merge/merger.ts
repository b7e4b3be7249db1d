import type { Comparison, Lexed } from '../match/comparison.ts';
import { splitGap, toLineFeeds } from '../match/gap.ts';
import { fileIndent, isLineFirst, oldIndent, type Rest, trailOf } from './anchor-lines.ts';
import { ABSENT, type Anchor } from './anchors.ts';
import { type Form, fileForm } from './form.ts';
import { Output } from './output.ts';

/** Writes the merged text from anchor to anchor. */
export class Merger {
  readonly output: Output;
  readonly form: Form;
  readonly #compared: Comparison;
  readonly #now: Lexed;
  readonly #sources: Int32Array;
  /** File gaps (by the token before) whose line ends were kept although old_string has others there. */
  readonly #usedGaps = new Set<number>();
  /** Where in the file the stretch that is being written begins. */
  #offset = 0;
  /** The indentation of the line that is being written, in the file and as written. */
  #shift: { readonly from: string; readonly to: string } | undefined;

  constructor(compared: Comparison, now: Lexed, sources: Int32Array) {
    this.#compared = compared;
    this.#now = now;
    this.#sources = sources;
    this.output = new Output(compared.text, compared.drifted);
    this.form = fileForm(compared, now);
  }

  /** Writes what lies between two anchors, then the right one; false where that can't be done without a guess. */
  stretch(left: Anchor, right: Anchor): boolean {
    this.#offset = left.fileEnd;
    const done = this.#isUntouched(left, right) ? this.#keepGap(left, right) : this.#writeBetween(left, right);
    if (done) this.output.keep(right.fileStart, right.fileEnd);
    return done;
  }

  /** Whether new_string has the same tokens between the two as old_string: none that the file has too. */
  #isUntouched(left: Anchor, right: Anchor): boolean {
    if (left.old === undefined || right.old === undefined || right.file <= left.file) return false;
    const between = this.#sources.subarray(left.now + 1, right.now);
    return right.old - left.old - 1 === between.length && between.every((source) => source === ABSENT);
  }

  #keepGap(left: Anchor, right: Anchor): boolean {
    const { text, old } = this.#compared;
    const was = toLineFeeds(old.text.slice(endOf(old, left.old ?? -1), startOf(old, right.old ?? -1)));
    const now = toLineFeeds(this.#now.text.slice(left.nowEnd, right.nowStart));
    const file = text.slice(left.fileEnd, right.fileStart);
    if (was === now) {
      const isLaidOut = !was.includes('\n') && /[\r\n]/.test(file);
      this.output.keep(left.fileEnd, right.fileStart, isLaidOut ? this.#shifted(file) : undefined);
      return true;
    }
    if (right.now - left.now > 1) return this.#writeBetween(left, right);
    const [oldGap, newGap, fileGap] = [splitGap(was), splitGap(now), splitGap(file)];
    if (left.file === -1 && this.#compared.edges.startsLine && newGap.breaks === '' && oldGap.breaks === '') {
      this.#indent(this.form.indentation.map(now, 0), right);
      return true;
    }
    const hasTokens = right.file - left.file > 1;
    if (newGap.breaks === '' || fileGap.breaks === '' || oldGap.breaks === '') {
      if (hasTokens) return false;
      if (newGap.breaks === '') this.output.write(this.form.write(now));
      else this.#breakTo(left, right, newGap);
      return true;
    }
    if (newGap.breaks !== oldGap.breaks && hasTokens) return false;
    const indent =
      newGap.indent === oldGap.indent ? fileGap.indent : this.form.indentation.map(newGap.indent, this.#lineOf(right));
    const trail = newGap.trail === oldGap.trail ? fileGap.trail : newGap.trail;
    const breaks = newGap.breaks === oldGap.breaks ? fileGap.breaks : this.form.breaks(newGap.breaks, left.fileEnd);
    this.#shift = { from: fileGap.indent, to: indent };
    this.output.keep(left.fileEnd, right.fileStart, trail + this.#shifted(breaks) + indent);
    return true;
  }

  #breakTo(left: Anchor, right: Anchor, gap: { trail: string; breaks: string; indent: string }): void {
    this.output.write(gap.trail + this.form.breaks(gap.breaks, left.fileEnd));
    this.#indent(this.form.indentation.map(gap.indent, this.#lineOf(right)), right);
  }

  /** New tokens, and the gaps before, between and after them. */
  #writeBetween(left: Anchor, right: Anchor): boolean {
    const tokens = this.#now.tokens.slice(left.now + 1, right.now);
    if (tokens.some((token, k) => this.#sources[left.now + 1 + k] === ABSENT && !/^[,;]$/.test(token.key)))
      return false;
    let end = left.nowEnd;
    let before: Anchor | undefined = left;
    const rest = trailOf(this.#compared, left);
    let isOpen = rest !== undefined;
    for (const token of [...tokens, undefined]) {
      const gap = toLineFeeds(this.#now.text.slice(end, token?.start ?? right.nowStart));
      const endsLine =
        gap.includes('\n') ||
        (token === undefined && right.now === this.#now.tokens.length && this.#compared.edges.endsLine);
      if (isOpen && rest && endsLine) {
        this.#closeLine(left, rest, { isDirect: before !== undefined, gap });
        isOpen = false;
        if (
          !this.#writeGap({
            gap: gap.slice(splitGap(gap).trail.length),
            left: before,
            right: token ? undefined : right,
          })
        )
          return false;
      } else if (!this.#writeGap({ gap, left: before, right: token ? undefined : right })) return false;
      if (token) this.output.write(this.form.write(this.#now.text.slice(token.start, token.end)));
      end = token?.end ?? end;
      before = undefined;
    }
    return true;
  }

  /** What the file has behind the left anchor on its line: blanks, a `;`, a comment. */
  #closeLine(left: Anchor, rest: Rest, { isDirect, gap }: { readonly isDirect: boolean; readonly gap: string }): void {
    const trail = splitGap(gap).trail;
    const same = isDirect && left.oldAfter !== undefined && splitGap(toLineFeeds(left.oldAfter)).trail === trail;
    if (same || rest.tokens.length > 0) this.#keepRest(rest, isDirect);
    if (!same) this.output.write(trail);
  }

  #keepRest(rest: Rest, isDirect: boolean): void {
    const [first] = rest.tokens;
    const ends = this.#compared.text.slice(rest.start, rest.end);
    if (!first || isDirect) {
      if (isDirect) this.output.keep(rest.start, rest.end, ends);
      return;
    }
    const isDoubled = /[,;]$/.test(first.key) && this.output.endsWith(first.key);
    this.output.keep(rest.start, rest.end, ends.slice((isDoubled ? first.end : rest.start) - rest.start));
  }

  #writeGap({
    gap,
    left,
    right,
  }: {
    readonly gap: string;
    readonly left: Anchor | undefined;
    readonly right: Anchor | undefined;
  }): boolean {
    const now = splitGap(gap);
    const isStart = left?.file === -1 && this.#compared.edges.startsLine;
    if (now.breaks === '' && !isStart) {
      this.output.write(this.#inlineGap(gap, left, right));
      return true;
    }
    if (now.breaks !== '' || !isStart) {
      this.output.write(now.trail);
      const breaks = this.#breaksOf(now.breaks, left, right);
      if (breaks === undefined) return false;
      this.output.write(breaks);
    }
    const indent = now.breaks === '' ? gap : now.indent;
    if (
      right?.oldBefore !== undefined &&
      right.file < this.#compared.file.length &&
      isLineFirst(this.#compared, right)
    ) {
      if (oldIndent(right) === indent) {
        this.#indent(fileIndent(this.#compared.text, right), right);
        return true;
      }
    }
    if (
      isStart &&
      left.oldAfter !== undefined &&
      splitGap(toLineFeeds(left.oldAfter)).breaks === '' &&
      left.oldAfter === gap
    ) {
      this.#indent(left.fileAfter.slice(left.fileAfter.search(/[^\r\n]*$/)), right);
      return true;
    }
    const isEnd = right !== undefined && right.file === this.#compared.file.length;
    this.#indent(isEnd && !isStart ? indent : this.form.indentation.map(indent, this.#lineOf(right ?? left)), right);
    return true;
  }

  #inlineGap(gap: string, left: Anchor | undefined, right: Anchor | undefined): string {
    if (left?.oldAfter === gap && !/[\r\n]/.test(left.fileAfter)) return left.fileAfter;
    if (right?.oldBefore === gap && !/[\r\n]/.test(right.fileBefore)) return right.fileBefore;
    return this.form.write(gap);
  }

  /** The file's line ends where new_string has the same as old_string beside an anchor, else new ones. */
  #breaksOf(breaks: string, left: Anchor | undefined, right: Anchor | undefined): string | undefined {
    for (const [anchor, was, file, index] of [
      [left, left?.oldAfter, left?.fileAfter, left?.file],
      [right, right?.oldBefore, right?.fileBefore, right ? right.file - 1 : undefined],
    ] as const) {
      if (!anchor || was === undefined || file === undefined || index === undefined) continue;
      const [oldBreaks, fileBreaks] = [splitGap(toLineFeeds(was)).breaks, splitGap(file).breaks];
      const isMissing = fileBreaks === '' && !(anchor === right && right.file === this.#compared.file.length);
      if (oldBreaks !== breaks || isMissing) continue;
      if (toLineFeeds(fileBreaks) !== oldBreaks) {
        if (this.#usedGaps.has(index)) return undefined;
        this.#usedGaps.add(index);
      }
      return fileBreaks;
    }
    return this.form.breaks(breaks, this.#offset);
  }

  #indent(indent: string, right: Anchor | undefined): void {
    const isKept = right !== undefined && right.file < this.#compared.file.length;
    this.#shift = isKept ? { from: fileIndent(this.#compared.text, right), to: indent } : undefined;
    this.output.write(indent);
  }

  /** Further lines of a kept line that the file has laid out over several, moved as the first was. */
  #shifted(piece: string): string {
    const shift = this.#shift;
    if (!shift || shift.from === shift.to) return piece;
    return piece.replace(/(?<=[\r\n])[^\S\r\n]+/g, (indent) =>
      indent.startsWith(shift.from) ? shift.to + indent.slice(shift.from.length) : indent,
    );
  }

  #lineOf(anchor: Anchor | undefined): number {
    const index = anchor?.old ?? 0;
    return toLineFeeds(this.#compared.old.text.slice(0, startOf(this.#compared.old, index))).split('\n').length - 1;
  }
}

function endOf({ tokens }: Lexed, index: number): number {
  return tokens[index]?.end ?? 0;
}

function startOf({ text, tokens }: Lexed, index: number): number {
  return tokens[index]?.start ?? (index < 0 ? 0 : text.length);
}
