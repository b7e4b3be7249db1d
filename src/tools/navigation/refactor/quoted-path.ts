import type { SpanEdit } from '../../../workspace/span.ts';

/** Whether an edit replaces what stands between two quotes, or with them. */
export function isQuotedPath(text: string, { start, end }: SpanEdit): boolean {
  return isQuoted(text, start - 1, end + 1) || isQuoted(text, start, end);
}

/** The edit with the quote that stands around its path escaped within it: servers give the bare name of a file. */
export function withQuotesEscaped(text: string, edit: SpanEdit): SpanEdit {
  const { start, end, newText } = edit;
  const quote = text.charAt(start - 1);
  if (!isQuoted(text, start - 1, end + 1) || !newText.includes(quote)) return edit;
  return { ...edit, newText: newText.replaceAll(new RegExp(`(?<!\\\\)${quote}`, 'g'), `\\${quote}`) };
}

function isQuoted(text: string, from: number, to: number): boolean {
  return /^(["'`])(?:\\[^\r\n]|(?!\1)[^\r\n\\])*\1$/.test(text.slice(Math.max(0, from), to));
}
