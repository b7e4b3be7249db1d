import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalRecord, parseJournalLine } from '../../src/broker/journal-record.ts';
import { seeded } from './encoded-files.ts';

/** So many folders of texts, no text of one in another; journals share them by link. */
const TEXT_FOLDERS = 20;

/**
 * Many journals from a real one, quicker than running them: `cell-0001/journal.jsonl`, … in `to`. Each has the calls of
 * the real one at other times, of other durations and sizes; its texts lie beside it, as a real journal's do.
 */
export function journalSeries({
  base,
  to,
  count,
  seed,
}: {
  /** A folder with `journal.jsonl` and `blobs`. */
  readonly base: string;
  readonly to: string;
  readonly count: number;
  readonly seed: number;
}): void {
  const records = readFileSync(join(base, 'journal.jsonl'), 'utf8')
    .split('\n')
    .flatMap((line) => parseJournalLine(line) ?? []);
  const variants = Array.from({ length: TEXT_FOLDERS }, (_, variant) => {
    const folder = join(to, '.texts', String(variant));
    return { folder, records: records.map((record) => withTexts(record, { variant, base, folder })) };
  });
  const random = seeded(seed);
  for (let cell = 1; cell <= count; cell += 1) {
    const variant = variants[cell % TEXT_FOLDERS];
    if (!variant) throw new RangeError(`no variant for cell ${cell}`);
    const folder = join(to, `cell-${String(cell).padStart(4, '0')}`);
    mkdirSync(folder, { recursive: true });
    symlinkSync(variant.folder, join(folder, 'blobs'));
    let at = 1.8e12 + cell * 3_600_000;
    const lines = variant.records.map((record) => {
      at += Math.floor(200 + 8000 * random());
      const ms = Math.round(record.ms * (0.5 + random()));
      return JSON.stringify({ ...record, time: new Date(at).toISOString(), root: `/cells/${cell}`, ms });
    });
    writeFileSync(join(folder, 'journal.jsonl'), `${lines.join('\n')}\n`);
  }
}

/** The call with texts that no other variant has, put into `folder`: spaces behind them change no JSON. */
function withTexts(
  record: JournalRecord,
  { variant, base, folder }: { readonly variant: number; readonly base: string; readonly folder: string },
): JournalRecord {
  const put = (hash: string): string => {
    const text = readFileSync(join(base, 'blobs', hash.slice(0, 2), hash.slice(2)), 'utf8') + ' '.repeat(variant);
    const name = createHash('sha256').update(text).digest('hex');
    mkdirSync(join(folder, name.slice(0, 2)), { recursive: true });
    writeFileSync(join(folder, name.slice(0, 2), name.slice(2)), text);
    return name;
  };
  return { ...record, args: put(record.args), result: put(record.result) };
}
