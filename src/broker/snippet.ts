import type { TextDocument } from 'vscode-languageserver-textdocument';
import { shortened } from '../workspace/truncation.ts';
import { type LineHunk, withoutEnding } from './line-hunks.ts';

const CONTEXT_LINES = 3;

/** So much of a file is shown in an edit's answer: lines, and bytes of UTF-8. */
export const SNIPPET_LIMITS = { lines: 60, bytes: 4 * 1024 } as const;
const MAX_LINE_CHARACTERS = 400;
const NO_NEWLINE = '\\ No newline at end of file';

/**
 * What a model sees of a change: the lines after it with their numbers, `-` and `+` where they went and came, 3 around;
 * 60 lines or 4 KB in all, then how many lines of it are not shown.
 */
export function snippetOf(after: TextDocument, hunks: readonly LineHunk[]): string {
  const rows = rowsOf(after, hunks);
  const shown: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += Buffer.byteLength(row) + 1;
    if (shown.length === SNIPPET_LIMITS.lines || bytes > SNIPPET_LIMITS.bytes) break;
    shown.push(row);
  }
  if (shown.length < rows.length) shown.push(`… ${rows.length - shown.length} more lines of this change`);
  return shown.join('\n');
}

function rowsOf(after: TextDocument, hunks: readonly LineHunk[]): readonly string[] {
  const rows: string[] = [];
  const lastLine = lineCountOf(after);
  let next = 1;
  hunks.forEach((hunk, index) => {
    const from = Math.max(next, hunk.new[0] - CONTEXT_LINES);
    if (index > 0 && from > next) rows.push('…');
    for (let line = from; line < hunk.new[0]; line += 1) rows.push(row(line, ' ', lineAt(after, line)));
    const marked = changesLastNewline(hunk) ? [NO_NEWLINE] : [];
    hunk.removed.forEach((text, offset) => {
      rows.push(row(hunk.old[0] + offset, '-', withoutEnding(text)), ...(isBare(text) ? marked : []));
    });
    hunk.added.forEach((text, offset) => {
      rows.push(row(hunk.new[0] + offset, '+', withoutEnding(text)), ...(isBare(text) ? marked : []));
    });
    next = hunk.new[0] + hunk.new[1];
    const following = hunks[index + 1]?.new[0] ?? lastLine + 1;
    const until = Math.min(next + CONTEXT_LINES, following, lastLine + 1);
    for (; next < until; next += 1) rows.push(row(next, ' ', lineAt(after, next)));
  });
  return rows;
}

/** Without the mark, two lines that differ in their newline alone read the same. */
function changesLastNewline({ removed, added }: LineHunk): boolean {
  const [gone, come] = [removed.at(-1), added.at(-1)];
  if (gone === undefined || come === undefined) return isBare(gone ?? come ?? '\n');
  const isSplit = isBare(gone) && withoutEnding(added[removed.length - 1] ?? '') === gone;
  return isBare(gone) !== isBare(come) || isSplit;
}

const isBare = (line: string): boolean => withoutEnding(line) === line;

function row(line: number, sign: ' ' | '-' | '+', text: string): string {
  return `${line}${sign}${shortened(text, MAX_LINE_CHARACTERS)}`;
}

function lineAt(document: TextDocument, line: number): string {
  const start = document.offsetAt({ line: line - 1, character: 0 });
  return withoutEnding(document.getText().slice(start, document.offsetAt({ line, character: 0 })));
}

/** A text that ends in a newline has no line after it. */
function lineCountOf(document: TextDocument): number {
  const length = document.getText().length;
  return document.offsetAt({ line: document.lineCount - 1, character: 0 }) === length
    ? document.lineCount - 1
    : document.lineCount;
}
