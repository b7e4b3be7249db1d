import { createHash } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../usage-error.ts';
import { shortName } from './short-name.ts';

/** A journal: one cell of a benchmark. */
export interface FoundJournal {
  /** What tells it from the others of its set. */
  readonly name: string;
  /** Its files, the older part first. */
  readonly files: readonly string[];
  readonly bytes: number;
}

interface Place {
  readonly file: string;
  /** Its folder below the argument that it was found by. */
  readonly below: string;
  readonly argument: string;
}

const NAME = 'journal.jsonl';

/**
 * The journals that arguments name: files, or folders with `journal.jsonl` (or `journal.jsonl.gz`) anywhere below, each
 * once. What was put away as `FILE.1` comes before its file.
 * @throws UsageError for a path that is not there, and where there is no journal at all
 */
export async function findJournals(paths: readonly string[]): Promise<readonly FoundJournal[]> {
  const places = new Map<string, Place>();
  for (const path of paths) {
    for (const place of await placesOf(path)) {
      const real = await realpath(place.file);
      if (!places.has(real)) places.set(real, place);
    }
  }
  // `journal.jsonl*` names the older part too.
  const alone = [...places].filter(([real]) => !(real.endsWith('.1') && places.has(real.slice(0, -2))));
  const names = namesOf(alone.map(([, place]) => place));
  return Promise.all(
    alone.map(async ([, { file }], index) => {
      const older = file.endsWith('.1') ? undefined : await stat(`${file}.1`).catch(() => undefined);
      return {
        name: names[index] ?? file,
        files: older ? [`${file}.1`, file] : [file],
        bytes: (await stat(file)).size + (older?.size ?? 0),
      };
    }),
  );
}

/** A journal's name as a report shows it: of bounded length, and still unlike the others. */
export function cellName(name: string): string {
  if (name.length <= 120) return shortName(name, 120);
  return `${shortName(name, 100)} ${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

async function placesOf(path: string): Promise<readonly Place[]> {
  const argument = resolve(path);
  const found = await stat(path).catch((error: Error) => {
    throw notReadable(path, error);
  });
  if (!found.isDirectory()) {
    const own = isJournalName(basename(argument)) ? dirname(argument) : argument;
    return [{ file: argument, below: '', argument: own }];
  }
  const inside = await journalsBelow(argument, new Set([await realpath(argument)]));
  if (inside.length === 0) throw new UsageError(`${path}: no ${NAME} in it. Name a journal, or a folder of them.`);
  return [...inside].sort().map((file) => ({ file, below: relative(argument, dirname(file)), argument }));
}

function notReadable(path: string, error: Error & { readonly code?: unknown }): UsageError {
  const what = error.code === 'ENOENT' ? 'there is no such file or folder' : `it can't be read (${String(error.code)})`;
  return new UsageError(`${path}: ${what}. Name a journal, or a folder of them.`, { cause: error });
}

const isJournalName = (name: string): boolean => name === NAME || name === `${NAME}.gz`;

/** What lies beside a journal and holds none: thousands of texts, of a thousand journals millions. */
const BESIDE = new Set(['blobs', 'changes', 'output', 'receipts', 'undo']);

/** `above`: the folders that this one was come to by; a link to one of them leads nowhere new. */
async function journalsBelow(folder: string, above: ReadonlySet<string>): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    throw notReadable(folder, error);
  });
  const folders: string[] = [];
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const kind = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry;
    if (kind?.isDirectory()) folders.push(entry.name);
    else if (kind?.isFile() && isJournalName(entry.name)) files.push(entry.name);
  }
  const [plain] = files.sort();
  const found = plain === undefined ? [] : [join(folder, plain)];
  for (const name of folders) {
    if (plain !== undefined && BESIDE.has(name)) continue;
    const real = await realpath(join(folder, name));
    if (!above.has(real)) found.push(...(await journalsBelow(join(folder, name), new Set([...above, real]))));
  }
  return found;
}

/**
 * The same for journals of the same task in another set, whichever else are there: the folder below the argument,
 * without what emend makes of the root's path. Where that does not tell them apart: below what they have in common.
 */
function namesOf(places: readonly Place[]): readonly string[] {
  const whole = places.map(({ argument, below }) => join(argument, below));
  const bare = places.map(({ below }) => below.replace(/(?:^|[\\/])emend[\\/][0-9a-f]{16}$/, ''));
  const isOne = new Set(places.map(({ argument }) => argument)).size === 1;
  for (const belows of [bare, places.map(({ below }) => below)]) {
    const names = places.map(({ argument }, index) => {
      const below = belows[index] ?? '';
      return isOne && below !== '' ? below : join(basename(argument), below);
    });
    if (new Set(names).size === names.length) return names;
  }
  return belowCommon(whole);
}

function belowCommon(folders: readonly string[]): readonly string[] {
  let common = dirname(folders[0] ?? sep);
  while (!folders.every((name) => name.startsWith(common === sep ? sep : `${common}${sep}`))) common = dirname(common);
  return folders.map((name) => relative(common, name));
}
