import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../usage-error.ts';

/** A journal: one cell of a benchmark. */
export interface FoundJournal {
  /** What tells it from the others of its set. */
  readonly name: string;
  /** Its files, the older part first. */
  readonly files: readonly string[];
  readonly bytes: number;
}

const NAME = 'journal.jsonl';

/**
 * The journals that arguments name: files, or folders with `journal.jsonl` anywhere below. What was put away as
 * `FILE.1` comes before its file.
 * @throws UsageError for a path that is not there, and where there is no journal at all
 */
export async function findJournals(paths: readonly string[]): Promise<readonly FoundJournal[]> {
  const files: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch((error: Error) => {
      throw new UsageError(`${path}: ${error.message}`, { cause: error });
    });
    if (!found.isDirectory()) files.push(resolve(path));
    else {
      const inside = await journalsBelow(path);
      if (inside.length === 0) throw new UsageError(`${path}: no ${NAME} in it. Name a journal, or a folder of them.`);
      files.push(...inside.map((file) => resolve(file)).sort());
    }
  }
  const unique = [...new Set(files)];
  const names = namesOf(unique);
  return Promise.all(
    unique.map(async (file, index) => {
      const older = file.endsWith('.1') ? undefined : await stat(`${file}.1`).catch(() => undefined);
      return {
        name: names[index] ?? file,
        files: older ? [`${file}.1`, file] : [file],
        bytes: (await stat(file)).size + (older?.size ?? 0),
      };
    }),
  );
}

/** What lies beside a journal and holds none: thousands of texts, of a thousand journals millions. */
const BESIDE = new Set(['blobs', 'changes', 'output', 'receipts', 'undo']);

async function journalsBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const isJournals = entries.some(({ name }) => name === NAME);
  const found = isJournals ? [join(folder, NAME)] : [];
  for (const entry of entries) {
    if (!entry.isDirectory() || (isJournals && BESIDE.has(entry.name))) continue;
    found.push(...(await journalsBelow(join(folder, entry.name))));
  }
  return found;
}

/** Each file's folder, or its own name where it is not called as all are, below what they all have in common. */
function namesOf(files: readonly string[]): readonly string[] {
  const own = files.map((file) => (basename(file) === NAME ? dirname(file) : file));
  const [first] = own;
  if (first === undefined || own.length === 1) return own.map((name) => basename(name));
  let common = dirname(first);
  while (!own.every((name) => name.startsWith(common === sep ? sep : `${common}${sep}`))) common = dirname(common);
  return own.map((name) => relative(common, name));
}
