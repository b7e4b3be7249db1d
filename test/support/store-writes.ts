import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import { StoreError } from '../../src/workspace/document-store.ts';

/** A write that another user, or a process among other mounts, is to make. */
export interface AskedWrite {
  readonly path: string;
  /** So many `n`s, or this. */
  readonly content: number | string;
  /** Whether there is to be no file yet. */
  readonly isNew?: true;
}

/** What came of it, seen from there. */
export interface SeenWrite {
  readonly outcome: string;
  readonly message: string;
  readonly content: string | null;
  readonly inode: number | null;
  readonly owner: number | null;
  readonly names: readonly string[];
}

/** Makes the writes that its argument lists, one after the other, and prints what came of each. */
const asked = JSON.parse(process.argv[2] ?? '[]') as readonly AskedWrite[];
const store = createDiskStore();
const seen: SeenWrite[] = [];
for (const { path, content, isNew } of asked) {
  let [outcome, message] = ['', ''];
  try {
    const base = isNew ? null : ({ kind: 'file', bytes: await readFile(path) } as const);
    const bytes = Buffer.from(typeof content === 'number' ? 'n'.repeat(content) : content);
    outcome = (await store.write(path, { base, bytes, edits: [] })).status;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    [outcome, message] = [error.code, error.message];
  }
  const found = await stat(path).catch(() => undefined);
  seen.push({
    outcome,
    message,
    content: await readFile(path, 'utf8').catch(() => null),
    inode: found?.ino ?? null,
    owner: found?.uid ?? null,
    names: await readdir(dirname(path)).catch(() => []),
  });
}
process.stdout.write(JSON.stringify(seen));
