import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { FileChange } from './file-change.ts';
import { writtenSpans } from './moved-range.ts';
import type { LineSpan } from './touched-symbols.ts';

/** The lines that a change touched: those of the text before, those of the text after. */
export function editedLines(change: FileChange): {
  readonly before: readonly LineSpan[];
  readonly after: readonly LineSpan[];
} {
  const { before, after, steps } = change;
  const [first] = steps;
  if (!before || !after || !first) return { before: [], after: [] };
  if (steps.length > 1) {
    // Several changes in one: what each of them touched is not told apart any more.
    return { before: [wholeOf(before.textDocument)], after: [wholeOf(after.textDocument)] };
  }
  return {
    before: first.edits.map((edit) => linesOf(before.textDocument, edit)),
    after: writtenSpans(first.edits).map((span) => linesOf(after.textDocument, span)),
  };
}

function linesOf(document: TextDocument, span: { readonly start: number; readonly end: number }): LineSpan {
  return { first: document.positionAt(span.start).line, last: document.positionAt(span.end).line };
}

function wholeOf(document: TextDocument): LineSpan {
  return { first: 0, last: document.lineCount };
}
