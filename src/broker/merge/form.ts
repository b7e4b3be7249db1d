import type { SpanEdit } from '../../workspace/span.ts';
import type { Comparison, Lexed } from '../match/comparison.ts';
import { isBlank, isInvisible, plainForm } from '../match/fold.ts';
import { type IndentMap, indentMap, indentPairs, indentStep, leadingBlanks } from './indentation.ts';

/** How new text is written so that it looks like the file around it. */
export interface Form {
  readonly indentation: IndentMap;
  /** Text of one line, with typed look-alikes as ASCII where the file has none of them, and accents as the file's. */
  write(text: string): string;
  /** Line ends as those of the file around an offset. */
  breaks(text: string, offset: number): string;
}

/** How many characters around the span tell the file's step of indentation. */
const AROUND = 20_000;

/**
 * How the file writes what old_string wrote otherwise: its indentation, its look-alikes, its composition of characters.
 */
export function fileForm(compared: Comparison, now: Lexed): Form {
  const { text, edges, old } = compared;
  const span = text.slice(edges.start, edges.end);
  const around = text.slice(Math.max(0, edges.start - AROUND), edges.end + AROUND);
  const pairs = indentPairs(compared);
  const step = indentStep(around) ?? (/\t/.test(pairs[0]?.file ?? '') ? '\t' : undefined);
  const oldStep = smallestStep([...old.text.split('\n'), ...now.text.split('\n')]);
  const indentation = indentMap(pairs, { old: oldStep, file: step ?? oldStep ?? '  ' });
  const foreign = foreignLookAlikes(old.text, span);
  const composition = COMPOSITIONS.find((form) => isOf(form, span) && !isOf(form, old.text));
  return {
    indentation,
    write: (piece) => {
      const plain =
        foreign.size === 0 ? piece : [...piece].map((character) => foreign.get(character) ?? character).join('');
      return composition === undefined ? plain : plain.normalize(composition);
    },
    breaks: (piece, offset) => withBreaks(piece, lineEndAt(text, offset)),
  };
}

const COMPOSITIONS = ['NFC', 'NFD'] as const;

const isOf = (form: (typeof COMPOSITIONS)[number], text: string): boolean => text.normalize(form) === text;

/** The least step between two depths of the lines: a level in the writer's own indentation. */
function smallestStep(lines: readonly string[]): string | undefined {
  const indents = lines.filter((line) => line.trim() !== '').map(leadingBlanks);
  if (indents.some((indent) => indent.includes('\t'))) return '\t';
  const depths = [...new Set(indents.map((indent) => indent.length))].sort((a, b) => a - b);
  let least = Number.POSITIVE_INFINITY;
  for (const [i, depth] of depths.entries()) {
    const step = depth - (depths[i - 1] ?? depth);
    if (step > 1) least = Math.min(least, step);
  }
  return Number.isFinite(least) ? ' '.repeat(least) : undefined;
}

/** Look-alikes that old_string has and the span never, with their ASCII. */
function foreignLookAlikes(old: string, span: string): ReadonlyMap<string, string> {
  const foreign = new Map<string, string>();
  for (const character of old) {
    const code = character.charCodeAt(0);
    if (code < 128 || foreign.has(character) || span.includes(character)) continue;
    const plain = isInvisible(code) ? '' : isBlank(code) ? ' ' : plainForm(code);
    if (plain !== undefined) foreign.set(character, /[“”„‟″]/.test(character) ? '"' : plain);
  }
  return foreign;
}

/** The ending of the line that an offset lies in, else of the one before it, else `undefined`: the text has one line. */
export function lineEndAt(text: string, offset: number): string | undefined {
  const newline = text.indexOf('\n', offset);
  const last = newline >= 0 ? newline : text.lastIndexOf('\n', offset - 1);
  if (last >= 0) return text[last - 1] === '\r' ? '\r\n' : '\n';
  return text.includes('\r') ? '\r' : undefined;
}

/** A text with all its line ends written as `end`; a lone `\r` is one only where the file has no other. */
export function withBreaks(text: string, end: string | undefined): string {
  if (end === undefined) return text;
  return text.replace(end === '\r' ? /\r\n|\r|\n/g : /\r\n|\n/g, end);
}

/** The edit so that it joins no `\r` and `\n` into one line end: what it writes takes the form of what stands beside it. */
export function withoutNewPairs(text: string, { start, end, newText }: SpanEdit): SpanEdit {
  const [isBehind, isBefore] = [text[start - 1] === '\r', text[end] === '\n'];
  if (newText === '') return isBehind && isBefore ? { start, end: end + 1, newText: '\r' } : { start, end, newText };
  const led = isBehind ? newText.replace(/^\n/, '\r') : newText;
  return { start, end, newText: isBefore ? led.replace(/\r$/, '\n') : led };
}
