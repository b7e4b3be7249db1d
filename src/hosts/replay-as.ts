import { createHash } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { editedAs, OTHER_MATCHERS, type OtherMatcher } from '../broker/counterfactual.ts';
import type { JournalRecord } from '../broker/journal-record.ts';
import { MATCHED_VIA } from '../broker/matched-via.ts';
import { editTool } from '../tools/edit.ts';
import { repairArguments } from '../tools/repair-arguments.ts';
import type { Blobs } from '../workspace/kept-state.ts';
import { createLocalBlobs } from '../workspace/local-blobs.ts';
import { plural } from '../workspace/truncation.ts';
import { blobsFolderOf, unreadableJournal } from './replay-journal.ts';
import { readJournal } from './report/read-journal.ts';
import { shortName } from './report/short-name.ts';
import { UsageError } from './usage-error.ts';

/** What another matcher would have made of an edit of the run. */
type Otherwise =
  | 'the same'
  | 'would have failed'
  | 'would have landed elsewhere'
  | 'would have landed, and was refused'
  | 'not known';

const ALL: readonly Otherwise[] = [
  'the same',
  'would have failed',
  'would have landed elsewhere',
  'would have landed, and was refused',
  'not known',
];

/** What is refused before any text is matched. */
const NOT_MATCHED = new Set([
  'invalid_arguments',
  'not_found',
  'exists',
  'is_directory',
  'read_only',
  'denied',
  'binary',
]);

/** Tools of several edits, as their names stand in a journal. */
const OF_SEVERAL = ['MultiEdit', 'apply_patch'];

/**
 * `emend replay JOURNAL --as MATCHER`: puts each Edit of a run to another matcher, on the very content that the edit
 * found, and prints what would have come out otherwise. A MultiEdit or patch is judged as a whole, by the laxest
 * strategy that it took. Nothing is written. What could not be read of the journal is counted. Returns the exit status: 0.
 * @throws UsageError for a matcher that there is not
 */
export async function replayAs(journal: string, asked: string): Promise<number> {
  const matcher = OTHER_MATCHERS.find((name) => name === asked);
  if (matcher === undefined) throw new UsageError(`--as ${asked}: it is one of ${OTHER_MATCHERS.join(', ')}.`);
  const blobs = createLocalBlobs(blobsFolderOf(resolve(journal)));
  const counts = new Map<Otherwise, number>();
  let skipped = 0;
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    for await (const read of readJournal(journal)) {
      if (read.kind === 'skipped') skipped += 1;
      if (read.kind === 'skipped' || read.record.dry_run) continue;
      const { tool } = read.record;
      if (tool !== 'Edit' && !OF_SEVERAL.includes(tool)) continue;
      const otherwise = tool === 'Edit' ? await judge(read.record, matcher, blobs) : judgeWhole(read.record, matcher);
      counts.set(otherwise, (counts.get(otherwise) ?? 0) + 1);
      const { receipt, files, looked, code } = read.record;
      const paths = (files.length > 0 ? files : looked.slice(0, 1)).map(({ path }) => shortName(path, 300)).join(', ');
      const vias = [...new Set(files.flatMap(({ matched_via: via }) => via ?? []))].join(', ');
      const why = shortName(vias === '' ? (code ?? '') : vias, 120);
      if (otherwise !== 'the same') print(`${shortName(receipt, 40)} ${paths} (${why}): ${otherwise}`);
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw unreadableJournal(journal, error);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const unread =
    skipped === 0 ? '' : `; ${plural(skipped, 'line')} of the journal skipped, broken or of another format`;
  print(`${all} edits as ${matcher}: ${ALL.map((each) => `${counts.get(each) ?? 0} ${each}`).join('; ')}${unread}`);
  return 0;
}

async function judge(record: JournalRecord, matcher: OtherMatcher, blobs: Blobs): Promise<Otherwise> {
  if (record.code !== undefined && NOT_MATCHED.has(record.code)) return 'the same';
  const [looked] = record.looked;
  // A file that was not there has nothing to match.
  if (record.ok && looked?.sha256 === null) return 'the same';
  const bytes = await blobs.get(record.args);
  const base = looked?.sha256 ? await blobs.get(looked.sha256) : undefined;
  if (!bytes || !base || !looked) return 'not known';
  const repaired = repairArguments(editTool.args, JSON.parse(Buffer.from(bytes).toString()));
  if (repaired.status === 'invalid') return 'not known';
  const args = editTool.args.safeParse(repaired.args);
  if (!args.success) return 'not known';
  const text = Buffer.from(base).toString();
  if (!Buffer.from(text).equals(Buffer.from(base))) return 'not known';
  const { old_string: oldString, new_string: newString, replace_all: replaceAll = false } = args.data;
  const path = looked.path.startsWith('/') ? relative(record.root, looked.path) : looked.path;
  const after = editedAs(matcher, text, { oldString, newString, replaceAll, path });
  if (!record.ok) return after === undefined ? 'the same' : 'would have landed, and was refused';
  if (after === undefined) return 'would have failed';
  const hash = createHash('sha256').update(after).digest('hex');
  return hash === record.files[0]?.after ? 'the same' : 'would have landed elsewhere';
}

/** Strategies are tried from the strictest on, so a stricter matcher refuses what a laxer one decided, and all refused. */
function judgeWhole({ ok, code, files }: JournalRecord, matcher: OtherMatcher): Otherwise {
  if (!ok)
    return matcher === 'first-exact' && !(code !== undefined && NOT_MATCHED.has(code)) ? 'not known' : 'the same';
  const order: readonly string[] = MATCHED_VIA;
  const most = order.indexOf(matcher === 'first-exact' ? 'exact' : matcher);
  const needed = files.flatMap(({ matched_via: via }) => (via === undefined ? [] : [via]));
  // Of several places it is not told how each was matched.
  if (needed.includes('multi-occurrence')) return 'not known';
  return needed.some((via) => order.indexOf(via) > most) ? 'would have failed' : 'the same';
}
