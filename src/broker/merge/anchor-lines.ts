import type { Comparison } from '../match/comparison.ts';
import { splitGap, toLineFeeds } from '../match/gap.ts';
import type { Token } from '../match/tokens.ts';
import type { Anchor } from './anchors.ts';

/** Whether an anchor is the first of its line in old_string and in the file. */
export function isLineFirst({ text, edges }: Comparison, anchor: Anchor): boolean {
  const start =
    Math.max(text.lastIndexOf('\n', anchor.fileStart - 1), text.lastIndexOf('\r', anchor.fileStart - 1)) + 1;
  const isOldFirst = anchor.old === 0 ? edges.startsLine : /[\r\n]/.test(anchor.oldBefore ?? '');
  return (
    isOldFirst &&
    text
      .slice(start, anchor.fileStart)
      .replace(/^\ufeff/, '')
      .trim() === ''
  );
}

export function oldIndent(anchor: Anchor): string {
  const gap = splitGap(toLineFeeds(anchor.oldBefore ?? ''));
  return gap.breaks === '' ? gap.trail : gap.indent;
}

export function fileIndent(text: string, anchor: Anchor): string {
  const start =
    Math.max(text.lastIndexOf('\n', anchor.fileStart - 1), text.lastIndexOf('\r', anchor.fileStart - 1)) + 1;
  return (
    text
      .slice(start, anchor.fileStart)
      .replace(/^\ufeff/, '')
      .match(/^\s*/)?.[0] ?? ''
  );
}

/** The end of a line behind an anchor. */
export interface Rest {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
}

/** What only the file has behind an anchor, up to the end of its line; `undefined` where more of old_string follows. */
export function trailOf({ text, edges, file, pairs }: Comparison, anchor: Anchor): Rest | undefined {
  if (anchor.file < 0) return undefined;
  const paired = new Set(pairs);
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
