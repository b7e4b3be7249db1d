import { formatPatch, type StructuredPatchHunk } from 'diff';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type LineHunk, splitLines, withoutEnding } from './line-hunks.ts';

const CONTEXT_LINES = 3;

/** So much of a diff is put into a receipt, in bytes of UTF-8. */
export const MAX_DIFF_BYTES = 8 * 1024;

/** A unified diff, cut at a line end after 8 KB. */
interface UnifiedDiff {
  readonly diff: string;
  /** UTF-8 bytes that were left out. */
  readonly cut: number;
}

/** The hunks of one file as a unified diff with 3 lines around; it costs what the hunks cost, not what the file does. */
export function unifiedDiff(shown: string, before: TextDocument, hunks: readonly LineHunk[]): UnifiedDiff {
  if (hunks.length === 0) return { diff: '', cut: 0 };
  const whole = formatPatch({
    oldFileName: shown,
    newFileName: shown,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: joined(hunks).map((group) => patchHunk(before, group)),
  });
  return cutAtLine(whole.slice(whole.indexOf('--- ')), MAX_DIFF_BYTES);
}

/** Hunks whose surroundings touch stand in one hunk of the diff. */
function joined(hunks: readonly LineHunk[]): readonly (readonly LineHunk[])[] {
  const groups: LineHunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1);
    if (last && hunk.old[0] - (last.old[0] + last.old[1]) <= 2 * CONTEXT_LINES) groups.at(-1)?.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function patchHunk(before: TextDocument, group: readonly LineHunk[]): StructuredPatchHunk {
  const lines: string[] = [];
  let oldCount = 0;
  let newCount = 0;
  const push = (sign: ' ' | '-' | '+', line: string): void => {
    if (sign !== '+') oldCount += 1;
    if (sign !== '-') newCount += 1;
    lines.push(sign + withoutEnding(line));
    if (withoutEnding(line) === line) lines.push('\\ No newline at end of file');
  };
  const first = Math.max(1, (group[0]?.old[0] ?? 1) - CONTEXT_LINES);
  let line = first;
  for (const hunk of group) {
    for (const kept of linesOf(before, line, hunk.old[0])) push(' ', kept);
    for (const gone of hunk.removed) push('-', gone);
    for (const come of hunk.added) push('+', come);
    line = hunk.old[0] + hunk.old[1];
  }
  for (const kept of linesOf(before, line, line + CONTEXT_LINES)) push(' ', kept);
  const shift = (group[0]?.new[0] ?? 0) - (group[0]?.old[0] ?? 0);
  return { oldStart: first, oldLines: oldCount, newStart: first + shift, newLines: newCount, lines };
}

/** Lines `from` up to before `to`, 1-based, as far as there are any. */
function linesOf(document: TextDocument, from: number, to: number): readonly string[] {
  if (to <= from) return [];
  const start = document.offsetAt({ line: from - 1, character: 0 });
  const end = document.offsetAt({ line: to - 1, character: 0 });
  return splitLines(document.getText().slice(start, end));
}

function cutAtLine(text: string, maxBytes: number): UnifiedDiff {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return { diff: text, cut: 0 };
  const head = Buffer.from(text).subarray(0, maxBytes);
  const diff = head.subarray(0, head.lastIndexOf(0x0a) + 1).toString();
  return { diff, cut: bytes - Buffer.byteLength(diff) };
}
