import type { Comparison } from '../match/comparison.ts';
import { countBreaks, lineStart, splitGap, toLineFeeds } from '../match/gap.ts';
import type { Token } from '../match/tokens.ts';
import type { Anchor } from './anchors.ts';
import { leadingBlanks } from './indentation.ts';

/** Whether an anchor is the first of its line in old_string and in the file. */
export function isLineFirst({ text, edges }: Comparison, anchor: Anchor): boolean {
  const isOldFirst = anchor.old === 0 ? edges.startsLine : countBreaks(anchor.oldBefore ?? '') > 0;
  return isOldFirst && text.slice(lineStart(text, anchor.fileStart), anchor.fileStart).trim() === '';
}

/** The blanks before an anchor that is the first of its line. */
export function oldIndent(anchor: Anchor): string {
  const gap = splitGap(toLineFeeds(anchor.oldBefore ?? ''));
  return gap.breaks === '' ? gap.trail : gap.indent;
}

/** The indentation of the file's line that an anchor lies in. */
export function fileIndent(text: string, anchor: Anchor): string {
  return leadingBlanks(text.slice(lineStart(text, anchor.fileStart), anchor.fileStart));
}

/** The end of a line behind an anchor. */
export interface Rest {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
}

/**
 * What only the file has behind an anchor, up to the end of its line; `undefined` where more of old_string follows.
 * `paired`: the file's tokens that old_string has.
 */
export function trailOf(
  { text, edges, file }: Comparison,
  anchor: Anchor,
  paired: ReadonlySet<number>,
): Rest | undefined {
  if (anchor.file < 0) return undefined;
  const tokens: Token[] = [];
  let end = anchor.fileEnd;
  for (let index = anchor.file + 1; ; index++) {
    const token = file[index];
    const gap = text.slice(end, token?.start ?? edges.end);
    const newline = gap.search(/[\r\n]/);
    if (newline >= 0 || (!token && edges.endsLine)) {
      return { start: anchor.fileEnd, end: newline >= 0 ? end + newline : end + gap.length, tokens };
    }
    if (!token || paired.has(index)) return undefined;
    tokens.push(token);
    end = token.end;
  }
}
