import { countLineEndings } from '../../workspace/line-endings.ts';
import type { SpanEdit } from '../../workspace/span.ts';
import type { HunkLine, PatchHunk } from './patch.ts';
import type { TextLines } from './text-lines.ts';

/**
 * The edits of a hunk whose lines stand at `at` (0-based) as they are. Lines that come end as those that they replace
 * or adjoin, and the last of a file as the last did; a diff whose other lines end as the file's do is taken at its word.
 */
export function literalEdits(text: TextLines, hunk: PatchHunk, at: number): readonly SpanEdit[] {
  const edits: SpanEdit[] = [];
  const isExact = tellsEndings(text, hunk, at);
  let line = at;
  for (let index = 0; index < hunk.lines.length; ) {
    if (hunk.lines[index]?.sign === ' ') {
      line += 1;
      index += 1;
      continue;
    }
    const run = runFrom(hunk.lines, index);
    edits.push(...(isExact ? replacedExactly(text, { ...run, line }) : replaced(text, { ...run, line })));
    line += run.gone.length;
    index += run.gone.length + run.come.length;
  }
  return edits;
}

function tellsEndings(text: TextLines, hunk: PatchHunk, at: number): boolean {
  const old = hunk.lines.filter(({ sign }) => sign !== '+');
  return (
    hunk.lines.every(({ ending }) => ending !== undefined) &&
    old.every(({ ending }, index) => ending === text.endingOf(at + index))
  );
}

function replacedExactly(text: TextLines, { gone, come, line }: Run & { readonly line: number }): readonly SpanEdit[] {
  const [start, end] = [text.offsetOf(line), text.offsetOf(line + gone.length)];
  const newText = come.map((each) => each.text + (each.ending ?? '')).join('');
  return newText === text.text.slice(start, end) ? [] : [{ start, end, newText }];
}

interface Run {
  readonly gone: readonly HunkLine[];
  readonly come: readonly HunkLine[];
}

function runFrom(lines: readonly HunkLine[], from: number): Run {
  const [gone, come]: [HunkLine[], HunkLine[]] = [[], []];
  for (let index = from; index < lines.length; index += 1) {
    const line = lines[index];
    if (!line || line.sign === ' ') break;
    (line.sign === '-' ? gone : come).push(line);
  }
  return { gone, come };
}

function replaced(text: TextLines, { gone, come, line }: Run & { readonly line: number }): readonly SpanEdit[] {
  const start = text.offsetOf(line);
  const end = text.offsetOf(line + gone.length);
  const isAtEnd = line + gone.length === text.lines.length;
  const before = line > 0 ? text.endingOf(line - 1) : '';
  const neighbour = text.endingOf(line) || before || commonEnding(text.text);
  const added = come.map((each, index) => `${each.text}${text.endingOf(line + index) || neighbour}`);
  let newText = added.join('');
  // A line is put after one that no newline follows.
  const opens = line > 0 && isAtEnd && before === '' && come.length > 0;
  if (opens) newText = neighbour + newText;
  if (isAtEnd && come.length > 0 && endsBare(text, { gone, come, opens }))
    newText = newText.replace(/(?:\r\n|\r|\n)$/, '');
  return newText === text.text.slice(start, end) ? [] : [{ start, end, newText }];
}

/** Whether the file's last line is to have no newline after it: as the hunk says, else as it is now. */
function endsBare(text: TextLines, { gone, come, opens }: Run & { readonly opens: boolean }): boolean {
  if (come.at(-1)?.ending === '') return true;
  // A diff that marks the old end only gives the new one a newline.
  if (gone.at(-1)?.ending === '') return false;
  if (text.lines.length === 0) return false;
  return opens || (gone.length > 0 && text.endingOf(text.lines.length - 1) === '');
}

function commonEnding(text: string): string {
  const { lf, crlf, cr } = countLineEndings(text);
  if (crlf > lf && crlf >= cr) return '\r\n';
  return cr > lf ? '\r' : '\n';
}
