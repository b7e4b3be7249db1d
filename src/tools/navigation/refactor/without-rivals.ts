import type { SpanEdit } from '../../../workspace/span.ts';

/** How a path of a module ends, as `.js` or not at all: each project has its own custom. */
const ENDING = /(?:\.d)?\.[cm]?[jt]sx?$|\.json$|$/;

/**
 * A server that has a file in two projects may say the same edit twice, of a path in each project's custom: said twice
 * is meant once, and of several paths for one the first stays that ends as the old one did. Other edits that replace one
 * text by several are left as they are.
 */
export function withoutRivals(text: string, edits: readonly SpanEdit[], are: 'paths' | 'others'): readonly SpanEdit[] {
  const kept: SpanEdit[] = [];
  for (const edit of edits) {
    const { start, end, newText } = edit;
    const rival = kept.findIndex(
      (one) => start < end && one.start === start && one.end === end && (are === 'paths' || one.newText === newText),
    );
    if (rival < 0) kept.push(edit);
    else if (are === 'paths' && !endsAlike(text, kept[rival]) && endsAlike(text, edit)) kept[rival] = edit;
  }
  return kept;
}

function endsAlike(text: string, edit: SpanEdit | undefined): boolean {
  return edit !== undefined && endingOf(text.slice(edit.start, edit.end)) === endingOf(edit.newText);
}

function endingOf(path: string): string | undefined {
  return ENDING.exec(path.replace(/["'`]$/, ''))?.[0];
}
