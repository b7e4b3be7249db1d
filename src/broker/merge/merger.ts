import type { Span } from '../../workspace/span.ts';
import type { Comparison, Lexed } from '../match/comparison.ts';
import { countBreaks, splitGap, toLineFeeds } from '../match/gap.ts';
import type { Token } from '../match/tokens.ts';
import { type Rest, trailOf } from './anchor-lines.ts';
import { ABSENT, type Anchor } from './anchors.ts';
import { depthOf, droppedMarks, isMark, mayStand, unwrittenMarks } from './end-marks.ts';
import { type Form, fileForm } from './form.ts';
import { GapWriter } from './gap-writer.ts';
import { Output } from './output.ts';

/** Writes the merged text from anchor to anchor. */
export class Merger {
  readonly output: Output;
  readonly form: Form;
  readonly #compared: Comparison;
  readonly #now: Lexed;
  readonly #origins: Int32Array;
  readonly #sources: Int32Array;
  readonly #paired: ReadonlySet<number>;
  readonly #gaps: GapWriter;

  constructor(
    compared: Comparison,
    now: Lexed,
    { origins, sources }: { readonly origins: Int32Array; readonly sources: Int32Array },
  ) {
    this.#compared = compared;
    this.#now = now;
    this.#origins = origins;
    this.#sources = sources;
    this.#paired = new Set(compared.pairs);
    this.output = new Output(compared.text, compared.drifted);
    this.form = fileForm(compared, now);
    this.#gaps = new GapWriter(compared, this.form, this.output);
  }

  /** Writes what lies between two anchors, then the right one; false where that can't be done without a guess. */
  stretch(left: Anchor, right: Anchor): boolean {
    const done = this.#isUntouched(left, right) ? this.#keepGap(left, right) : this.#writeBetween(left, right);
    if (done) this.output.keep(right.fileStart, right.fileEnd);
    return done && !this.#gaps.isTorn;
  }

  /** Whether new_string has the same tokens between the two as old_string: none that the file has too. */
  #isUntouched(left: Anchor, right: Anchor): boolean {
    if (left.old === undefined || right.old === undefined || right.file <= left.file) return false;
    const between = this.#sources.subarray(left.now + 1, right.now);
    return right.old - left.old - 1 === between.length && between.every((source) => source === ABSENT);
  }

  #keepGap(left: Anchor, right: Anchor): boolean {
    const was = toLineFeeds(this.#compared.old.text.slice(left.oldEnd, right.oldStart));
    const now = toLineFeeds(this.#now.text.slice(left.nowEnd, right.nowStart));
    if (was !== now) {
      return right.now - left.now > 1 ? this.#writeBetween(left, right) : this.#gaps.rewrite(was, { left, right }, now);
    }
    const file = this.#compared.text.slice(left.fileEnd, right.fileStart);
    const isLaidOut = !was.includes('\n') && countBreaks(file) > 0;
    this.output.keep(left.fileEnd, right.fileStart, isLaidOut ? this.#gaps.shifted(file) : undefined);
    return true;
  }

  /** New tokens, and the gaps before, between and after them. */
  #writeBetween(left: Anchor, right: Anchor): boolean {
    const between = this.#now.tokens.slice(left.now + 1, right.now);
    const isAbsent = (index: number): boolean => this.#sources[left.now + 1 + index] === ABSENT;
    if (between.some((token, index) => isAbsent(index) && !isMark(token))) return false;
    const unwritten = unwrittenMarks(this.#now, { left, right, origins: this.#origins, sources: this.#sources });
    const lead = this.#leadOf(left, { until: between[0]?.start ?? right.nowStart, isWritten: between.length > 0 });
    let rest = lead ? undefined : trailOf(this.#compared, left, this.#paired);
    const dropped = droppedMarks(this.#compared, { left, right }, this.#paired);
    if (dropped.hasInner && between.length > 0) return false;
    let marks = lead || rest ? undefined : dropped.first;
    let [end, depth, isFirst] = [left.nowEnd, 0, true];
    let before = this.#compared.file[left.file];
    for (const [index, token] of [...between, undefined].entries()) {
      if (token && unwritten.has(left.now + 1 + index)) {
        end = token.end;
        continue;
      }
      const gap = toLineFeeds(this.#now.text.slice(end, token?.start ?? right.nowStart));
      const sides = { left: isFirst ? left : undefined, right: token ? undefined : right };
      const closes = gap.includes('\n') || (token === undefined && this.#endsLine(right));
      const next = this.#now.text.slice(token?.start ?? right.nowStart, (token?.start ?? right.nowStart) + 2);
      const ends = (mark: Token | undefined): boolean =>
        closes && depth <= 0 && (between.length === 0 || isMark(before) || mayStand(mark, before, next));
      if (marks && (!token || ends(marks.tokens[0]))) {
        if (!this.#endWith(marks, { before, next, isFirst })) return false;
        [before, marks] = [marks.tokens.at(-1), undefined];
      }
      if (!token && dropped.last && !isFirst && !this.#endWith(dropped.last, { before, next, isFirst })) return false;
      if (lead && isFirst) this.output.keep(lead.start, lead.end);
      else if (rest && (isMark(rest.tokens[0]) ? ends(rest.tokens[0]) : closes)) {
        this.#closeLine(left, rest, { isFirst, trail: splitGap(gap).trail });
        rest = undefined;
        if (!this.#gaps.write({ gap: gap.slice(splitGap(gap).trail.length), ...sides }, left.fileEnd)) return false;
      } else if (!this.#gaps.write({ gap, ...sides }, left.fileEnd)) return false;
      if (!token) break;
      this.output.write(this.form.write(this.#now.text.slice(token.start, token.end)));
      depth += depthOf(token);
      [end, isFirst, before] = [token.end, false, token];
    }
    return true;
  }

  /** Marks of the file behind what was replaced, now behind what comes in its place; false where they can't stand there. */
  #endWith(
    marks: Rest,
    { before, next, isFirst }: { readonly before: Token | undefined; readonly next: string; readonly isFirst: boolean },
  ): boolean {
    const [mark] = marks.tokens;
    if (isMark(before)) return before?.key === mark?.key;
    if (isFirst && (!before || depthOf(before) > 0)) return true;
    if (!mayStand(mark, before, next)) return false;
    this.output.keep(marks.start, marks.end);
    return true;
  }

  #endsLine(right: Anchor): boolean {
    return right.now === this.#now.tokens.length && this.#compared.edges.endsLine;
  }

  /**
   * Comments that only the file has between a kept token and a changed one that follows it in old_string: they stay
   * before what is written, or, where nothing is, where a blank line parts them from what goes.
   */
  #leadOf(
    left: Anchor,
    { until, isWritten }: { readonly until: number; readonly isWritten: boolean },
  ): Span | undefined {
    const { text, file, pairs } = this.#compared;
    const pair = left.old === undefined || left.file < 0 ? -1 : (pairs[left.old + 1] ?? -1);
    const next = file[pair];
    const comment = file[pair - 1];
    if (!next || !comment || pair <= left.file + 1 || left.oldAfter === undefined) return undefined;
    if (toLineFeeds(left.oldAfter) !== toLineFeeds(this.#now.text.slice(left.nowEnd, until))) return undefined;
    const breaks = countBreaks(text.slice(comment.end, next.start));
    return breaks >= (isWritten ? 1 : 2) ? { start: left.fileEnd, end: next.start } : undefined;
  }

  /** What the file has behind the left anchor on its line: blanks, a `;`, a comment. */
  #closeLine(
    left: Anchor,
    rest: Rest,
    { isFirst, trail }: { readonly isFirst: boolean; readonly trail: string },
  ): void {
    const was = left.oldAfter === undefined ? undefined : splitGap(toLineFeeds(left.oldAfter)).trail;
    const isSame = isFirst && was === trail;
    const [token] = rest.tokens;
    if (isSame || (token && isFirst)) this.output.keep(rest.start, rest.end);
    else if (token) {
      const isDoubled = /^[,;]$/.test(token.key) && this.output.endsWith(token.key);
      const from = isDoubled ? token.end : rest.start;
      this.output.keep(rest.start, rest.end, this.#compared.text.slice(from, rest.end));
    }
    if (!isSame) this.output.write(trail);
  }
}
