import { decodeEscaped } from '../visible-text.ts';
import type { FileFilter } from './file-filter.ts';
import type { JsonLine } from './json-lines.ts';

/** What ripgrep says while it searches, in its order: of a file with matches `begin`, lines, `end`; last `summary`. */
export type GrepEvent =
  | { readonly kind: 'begin'; readonly path: string }
  | GrepLineEvent
  | {
      readonly kind: 'end';
      readonly path: string;
      /** Where a NUL byte ended the search of this file. */
      readonly stoppedAt: number | undefined;
      readonly matchedLines: number;
      readonly matches: number;
    }
  | { readonly kind: 'summary'; readonly searches: number };

/** One line, or one match over several, as ripgrep told it. */
export interface GrepLineEvent {
  readonly kind: 'match' | 'context';
  readonly path: string;
  /** 1-based; a match over several lines has the first. */
  readonly line: number;
  /** With its line end. Of a long line its beginning. */
  readonly text: string;
  /** The first match in the line, in bytes of UTF-8 from its start. */
  readonly match: { readonly start: number; readonly end: number } | undefined;
  /** Set where `text` is not all of the line. */
  readonly cut: { readonly offset: number; readonly bytes: number } | undefined;
}

/** Whether it tells of a file that the filter takes in. */
export function isWanted(event: GrepEvent, { accepts }: FileFilter): boolean {
  return accepts === undefined || event.kind === 'summary' || accepts(event.path);
}

/** One record as an event; `undefined` for what can't be read, which is counted by the caller. */
export function readGrepEvent(line: JsonLine): GrepEvent | undefined {
  if (line.kind === 'long') return readLongEvent(line);
  if (line.text === '') return undefined;
  const record = parse(line.text);
  const { type, data } = record ?? {};
  if (typeof type !== 'string' || !isObject(data)) return undefined;
  const path = pathOf(data.path);
  switch (type) {
    case 'begin':
      return { kind: 'begin', path };
    case 'match':
    case 'context':
      return {
        kind: type,
        path,
        line: numberOf(data.line_number),
        text: textOf(data.lines),
        match: firstMatch(data.submatches),
        cut: undefined,
      };
    case 'end': {
      const stats = isObject(data.stats) ? data.stats : {};
      const stopped = data.binary_offset;
      return {
        kind: 'end',
        path,
        stoppedAt: typeof stopped === 'number' ? stopped : undefined,
        matchedLines: numberOf(stats.matched_lines),
        matches: numberOf(stats.matches),
      };
    }
    case 'summary': {
      const stats = isObject(data.stats) ? data.stats : {};
      return { kind: 'summary', searches: numberOf(stats.searches) };
    }
  }
  return undefined;
}

/** The record of a line that is too long to keep: put together again from its head and its tail. */
function readLongEvent(line: Extract<JsonLine, { kind: 'long' }>): GrepEvent | undefined {
  const head = /^\{"type":"(match|context)","data":\{"path":(\{[^}]*\}),"lines":\{"(text|bytes)":"/.exec(line.head);
  const tail = /"line_number":(\d+|null),"absolute_offset":(\d+)/.exec(line.tail);
  const [, kind, path, form] = head ?? [];
  if (!head || !tail || (kind !== 'match' && kind !== 'context')) return undefined;
  const start = line.head.slice(head[0].length);
  const written = line.textBytes - head[0].length;
  const match = /"start":(\d+),"end":(\d+)\}/.exec(line.tail);
  return {
    kind,
    path: pathOf(parse(path ?? '')),
    line: Number(tail[1]),
    text: form === 'bytes' ? decodeEscaped(Buffer.from(start, 'base64')) : unescapeCut(start),
    match: match ? { start: Number(match[1]), end: Number(match[2]) } : undefined,
    cut: { offset: Number(tail[2]), bytes: form === 'bytes' ? Math.floor((written * 3) / 4) : written },
  };
}

/** The text of a JSON string that was cut somewhere. */
function unescapeCut(text: string): string {
  const whole = text.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '').replace(/\ufffd+$/, '');
  try {
    return String(JSON.parse(`"${whole}"`));
  } catch {
    // Cut just behind a backslash that was itself escaped: one character less is well formed.
    return String(parse(`["${whole.slice(0, -1)}"]`)?.[0] ?? '');
  }
}

function firstMatch(submatches: unknown): GrepLineEvent['match'] {
  const first: unknown = Array.isArray(submatches) ? submatches[0] : undefined;
  return isObject(first) ? { start: numberOf(first.start), end: numberOf(first.end) } : undefined;
}

function pathOf(value: unknown): string {
  return textOf(value).replace(/^\.\//, '');
}

/** ripgrep writes what is UTF-8 as `text`, anything else as `bytes` in base64. */
function textOf(value: unknown): string {
  if (!isObject(value)) return '';
  if (typeof value.text === 'string') return value.text;
  return typeof value.bytes === 'string' ? decodeEscaped(Buffer.from(value.bytes, 'base64')) : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
