import { basename, dirname, extname, join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import type { DocumentStore, StoredEntry } from './document-store.ts';

/** Files that a path that leads nowhere may have meant. */
interface SimilarPaths {
  /**
   * The one file whose name differs only in what can't be seen or typed: NFC and NFD, kinds of blanks, kinds of quotes
   * and dashes.
   */
  readonly lookAlike: string | undefined;
  /** Absolute, the likeliest first, at most three. */
  readonly paths: readonly string[];
}

const MAX_FOLDERS = 400;
const MAX_ENTRIES = 20_000;
const PASSED_OVER = new Set(['.git', 'node_modules', '.hg', '.svn', '__pycache__', '.venv']);

/**
 * Looks beside the path (other case, look-alike characters, other extension, a misspelling), then for the same name in
 * other folders of the root. The second look is bounded, so a big tree costs no more than a small one.
 */
export async function similarPaths(store: DocumentStore, root: string, path: string): Promise<SimilarPaths> {
  const name = basename(path);
  const beside = await entriesOf(store, dirname(path));
  const alike = beside.filter((entry) => normal(entry.name) === normal(name));
  const near = beside
    .map((entry) => ({ entry, score: scoreOf(entry.name, name) }))
    .filter(({ score }) => score !== undefined)
    .sort((a, b) => (a.score ?? 0) - (b.score ?? 0))
    .map(({ entry }) => join(dirname(path), entry.name));
  const found = new Set(near);
  if (found.size < 3) for (const other of await sameNameElsewhere(store, root, name)) found.add(other);
  return {
    lookAlike: alike.length === 1 && alike[0] ? join(dirname(path), alike[0].name) : undefined,
    paths: [...found].filter((candidate) => candidate !== path).slice(0, 3),
  };
}

/** Lower is nearer; `undefined`: not alike. */
function scoreOf(name: string, wanted: string): number | undefined {
  if (normal(name) === normal(wanted)) return 0;
  const [a, b] = [normal(name).toLowerCase(), normal(wanted).toLowerCase()];
  if (a === b) return 1;
  if (stem(a) === stem(b)) return 2;
  const letters = distance(a, b);
  if (letters <= Math.max(1, Math.floor(b.length / 4))) return 2 + letters;
  return stem(b).length >= 4 && (a.includes(stem(b)) || (stem(a).length >= 4 && b.includes(stem(a)))) ? 20 : undefined;
}

function stem(name: string): string {
  const extension = extname(name);
  return extension === '' ? name : name.slice(0, -extension.length);
}

/** A name as it looks. */
function normal(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(/[\u2018\u2019\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-');
}

async function sameNameElsewhere(store: DocumentStore, root: string, name: string): Promise<readonly string[]> {
  const wanted = normal(name).toLowerCase();
  const found: string[] = [];
  const folders = [root];
  let entries = 0;
  for (let looked = 0; looked < folders.length && looked < MAX_FOLDERS && entries < MAX_ENTRIES; looked++) {
    const folder = folders[looked] ?? root;
    for (const entry of await entriesOf(store, folder)) {
      entries++;
      if (entry.kind === 'directory' && !PASSED_OVER.has(entry.name)) folders.push(join(folder, entry.name));
      if (entry.kind === 'file' && normal(entry.name).toLowerCase() === wanted) found.push(join(folder, entry.name));
    }
    if (found.length >= 3) break;
  }
  return found;
}

async function entriesOf(store: DocumentStore, folder: string): Promise<readonly StoredEntry[]> {
  try {
    return await store.list(folder);
  } catch {
    // A folder that is not there or can't be listed has nothing to propose.
    return [];
  }
}
