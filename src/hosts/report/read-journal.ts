import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type JournalRecord, parseJournalLine } from '../../broker/journal-record.ts';

/** Why a line is not in the report. */
export type Skipped = 'broken' | 'other_version' | 'too_long';

/** One line of a journal: a call, or what is skipped. `line` is 1-based. */
type JournalLine =
  | { readonly kind: 'call'; readonly line: number; readonly record: JournalRecord }
  | { readonly kind: 'skipped'; readonly line: number; readonly why: Skipped };

/** No call's record is nearly as long. */
const MAX_LINE_BYTES = 1024 * 1024;
/** No record names as many files; what is kept of a call grows with them. */
const MAX_FILES = 2000;

/**
 * The lines of a journal one by one, in bounded memory however long one is; of a `.gz` those that it packs.
 * @throws where the file can't be read
 */
export async function* readJournal(file: string): AsyncGenerator<JournalLine> {
  let parts: Buffer[] = [];
  let [length, line] = [0, 0];
  const take = (): JournalLine | undefined => {
    line += 1;
    const text = length > MAX_LINE_BYTES ? undefined : Buffer.concat(parts).toString();
    parts = [];
    length = 0;
    return text === undefined ? { kind: 'skipped', line, why: 'too_long' } : lineOf(text, line);
  };
  for await (const chunk of bytesOf(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      length += end - from;
      if (length <= MAX_LINE_BYTES) parts.push(chunk.subarray(from, end));
      from = end + 1;
      const read = take();
      if (read) yield read;
    }
    length += chunk.length - from;
    if (length <= MAX_LINE_BYTES) parts.push(Buffer.from(chunk.subarray(from)));
    else parts = [];
  }
  const last = length > 0 ? take() : undefined;
  if (last) yield last;
}

function bytesOf(file: string): Readable {
  const packed = createReadStream(file, { highWaterMark: 64 * 1024 });
  if (!file.endsWith('.gz')) return packed;
  const plain = createGunzip();
  packed.once('error', (error) => plain.destroy(error));
  return packed.pipe(plain);
}

function lineOf(text: string, line: number): JournalLine | undefined {
  if (text.trim() === '') return undefined;
  const record = parseJournalLine(text);
  if (record && record.files.length <= MAX_FILES && record.looked.length <= MAX_FILES && isSound(record)) {
    return { kind: 'call', line, record };
  }
  return { kind: 'skipped', line, why: record ? 'broken' : isOtherVersion(text) ? 'other_version' : 'broken' };
}

/** Figures that can be summed: a journal is only a file, and anyone may have written it. */
function isSound({ ms, bytes, diagnostics, late = [] }: JournalRecord): boolean {
  const figures = [
    ...[ms, bytes.shown, bytes.whole, diagnostics?.ms, diagnostics?.introduced, diagnostics?.fixed],
    ...(diagnostics?.servers.map(({ waited_ms: waited }) => waited) ?? []),
    ...late.flatMap(({ introduced, fixed }) => [introduced, fixed]),
  ];
  return figures.every((figure) => figure === undefined || (figure >= 0 && figure <= 1e12));
}

function isOtherVersion(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && 'format' in parsed && parsed.format !== 1;
  } catch {
    // It is no JSON.
    return false;
  }
}
