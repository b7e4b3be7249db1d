import type { JournalRecord } from './journal-record.ts';
import type { Receipt } from './receipt.ts';

/** In what a call that was run again came out otherwise than its record says; empty where it is the same. */
export function journalDifferences(record: JournalRecord, receipt: Receipt): readonly string[] {
  const differences: string[] = [];
  const was = record.ok ? 'ok' : (record.code ?? 'failed');
  const is = receipt.ok ? 'ok' : (receipt.code ?? 'failed');
  if (was !== is) return [`${was} then, ${is} now`];
  const now = new Map(receipt.files.map((file) => [file.path, file]));
  for (const file of record.files) {
    const other = now.get(file.path);
    now.delete(file.path);
    if (!other) {
      differences.push(`${file.path}: ${file.op} then, untouched now`);
      continue;
    }
    const pairs = [
      ['', file.op, other.op],
      ['from ', file.from, other.from],
      ['content before ', short(file.before), short(other.sha256.before)],
      ['content after ', short(file.after), short(other.sha256.after)],
      ['matched_via ', file.matched_via, other.matched_via],
    ] as const;
    for (const [what, then, today] of pairs) {
      if (then !== today) differences.push(`${file.path}: ${what}${then ?? 'none'} then, ${today ?? 'none'} now`);
    }
  }
  for (const [path, file] of now) differences.push(`${path}: untouched then, ${file.op} now`);
  return differences;
}

function short(hash: string | null): string {
  return hash === null ? 'absent' : hash.slice(0, 12);
}
