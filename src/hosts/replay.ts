import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseJournalLine } from '../broker/journal-record.ts';
import { createLocalBlobs } from '../workspace/local-blobs.ts';
import { plural } from '../workspace/truncation.ts';
import { openRoot } from './open-root.ts';
import { blobsFolderOf, createReplay, unreadableJournal } from './replay-journal.ts';
import { UsageError } from './usage-error.ts';

/**
 * `emend replay JOURNAL [--root DIR]`: runs the file tools of a journal again in an empty folder (a new one by
 * default), and prints each call that came out otherwise or could not be run. What it keeps meanwhile lies apart, so
 * that it adds to no journal. Returns the exit status: 0 all the same.
 * @throws UsageError for a journal that can't be read, and a root that is not an empty folder: it is not touched
 */
export async function replay(journal: string, options: { readonly root?: string }): Promise<number> {
  const text = await textOf(journal);
  if (options.root !== undefined) await checkEmpty(options.root);
  const folder = options.root ?? (await mkdtemp(join(tmpdir(), 'emend-replay-')));
  const stateFolder = await mkdtemp(join(tmpdir(), 'emend-replay-state-'));
  const root = await openRoot({ root: folder, stateFolder });
  const run = createReplay(root, createLocalBlobs(blobsFolderOf(resolve(journal))));
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const counts = { same: 0, differs: 0, 'not run': 0, 'not replayable': 0 };
  let [restored, vague] = [0, 0];
  try {
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue;
      const record = parseJournalLine(line);
      const call = record
        ? await run.run(record)
        : ({ status: 'not replayable', why: 'the line is no record of format 1' } as const);
      counts[call.status] += 1;
      const name = record ? `${record.receipt} ${record.called}` : `line ${index + 1}`;
      if (call.status === 'differs') print(`${name}: differs: ${call.differences.join('; ')}`);
      if (call.status === 'not replayable') print(`${name}: not replayable: ${call.why}`);
      if ('restored' in call) restored += call.restored.length;
      if ('isVague' in call && call.isVague) vague += 1;
    }
    const { known, stray } = await run.compareFiles();
    for (const path of stray) print(`${path}: in the end it is not as the journal last knew it`);
    const [all, commands] = [plural(known, 'file'), plural(vague, 'command')];
    print(
      `${counts.same} calls the same, ${counts.differs} differ, ${counts['not replayable']} not replayable, ` +
        `${counts['not run']} not run (no file tools); ${restored} files restored that something else had changed; ` +
        `in the end ${stray.length === 0 ? `${all} as the journal last knew` : `${stray.length} of ${all} not as the journal last knew`}` +
        `${vague === 0 ? '' : `, and ${commands} may have changed more than it knows`}; in ${root.root}`,
    );
    return counts.differs + counts['not replayable'] + stray.length === 0 ? 0 : 1;
  } finally {
    await root.close();
    await rm(stateFolder, { recursive: true, force: true });
  }
}

/** A replay puts back and removes what its journal says, whatever is there. */
async function checkEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such folder' : `it can't be listed (${error.code})`;
    throw new UsageError(`--root ${folder}: ${why}. Name an empty folder, or none for a new one.`, { cause: error });
  });
  const [first, ...others] = entries.sort();
  if (first === undefined) return;
  const what = others.length === 0 ? first : `${first} and ${others.length} more`;
  throw new UsageError(
    `--root ${folder} is not empty: it has ${what}. A replay would write over and remove what is there, so nothing was run. Name an empty folder, or none for a new one.`,
  );
}

async function textOf(journal: string): Promise<string> {
  try {
    return await readFile(journal, 'utf8');
  } catch (error) {
    throw unreadableJournal(journal, error instanceof Error ? error : new Error(String(error)));
  }
}
