import type { TextDocument } from 'vscode-languageserver-textdocument';
import { applySpanEdits, type Span, type SpanEdit } from '../workspace/span.ts';

/** A run of whole lines that a change replaces; each line has its own ending. */
export interface LineHunk {
  /** 1-based first line and number of lines before; where none are replaced, the line that the new ones precede. */
  readonly old: readonly [number, number];
  /** The same after. */
  readonly new: readonly [number, number];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** What `removed` covers, in UTF-16 offsets of the text before. */
  readonly span: Span;
}

/**
 * Edits as hunks of whole lines, in order, each trimmed to the lines that differ. Edits that touch one line, or lines
 * that stand together, make one hunk; edits that change nothing make none.
 */
export function lineHunks(before: TextDocument, edits: readonly SpanEdit[]): readonly LineHunk[] {
  const hunks: LineHunk[] = [];
  let shift = 0;
  for (const group of groupByLines(before, edits)) {
    const hunk = trimmedHunk(before, group, shift);
    shift += hunk.added.length - hunk.removed.length;
    if (hunk.added.length > 0 || hunk.removed.length > 0) hunks.push(hunk);
  }
  return hunks;
}

/** The lines of a text, each with its ending; a text that ends in one has no empty line after it. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

/** A line without its ending. */
export function withoutEnding(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === '\n' || line[end - 1] === '\r')) end -= 1;
  return line.slice(0, end);
}

interface EditGroup {
  readonly edits: SpanEdit[];
  readonly firstLine: number;
  lastLine: number;
}

function groupByLines(before: TextDocument, edits: readonly SpanEdit[]): readonly EditGroup[] {
  const groups: EditGroup[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const firstLine = before.positionAt(edit.start).line;
    const lastLine = before.positionAt(edit.end).line;
    const previous = groups.at(-1);
    if (previous && firstLine <= previous.lastLine + 1) {
      previous.edits.push(edit);
      previous.lastLine = Math.max(previous.lastLine, lastLine);
    } else {
      groups.push({ edits: [edit], firstLine, lastLine });
    }
  }
  return groups;
}

function trimmedHunk(before: TextDocument, group: EditGroup, shift: number): LineHunk {
  const base = before.offsetAt({ line: group.firstLine, character: 0 });
  const end = before.offsetAt({ line: group.lastLine + 1, character: 0 });
  const text = before.getText().slice(base, end);
  const local = group.edits.map((edit) => ({ ...edit, start: edit.start - base, end: edit.end - base }));
  const removed = splitLines(text);
  const added = splitLines(applySpanEdits(text, local));

  let head = 0;
  while (head < removed.length && head < added.length && removed[head] === added[head]) head += 1;
  let tail = 0;
  while (
    tail < removed.length - head &&
    tail < added.length - head &&
    removed[removed.length - 1 - tail] === added[added.length - 1 - tail]
  ) {
    tail += 1;
  }
  const gone = removed.slice(head, removed.length - tail);
  const come = added.slice(head, added.length - tail);
  const start = base + lengthOf(removed.slice(0, head));
  const firstLine = group.firstLine + head + 1;
  return {
    old: [firstLine, gone.length],
    new: [firstLine + shift, come.length],
    removed: gone,
    added: come,
    span: { start, end: start + lengthOf(gone) },
  };
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}
