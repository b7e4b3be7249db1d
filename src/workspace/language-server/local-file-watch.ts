import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_CHANGE, type FileChangeType } from './registrations.ts';

/** A file that somebody changed. */
export interface ChangedFile {
  /** Absolute. */
  readonly path: string;
  readonly type: FileChangeType;
}

/**
 * Tells of changes below a folder until the function that it gives is called; `undefined` where that can't be done.
 * What comes may be late by a fraction of a second, and our own changes are told too.
 */
export type FileWatch = (
  folder: string,
  onChange: (changes: readonly ChangedFile[]) => void,
) => Promise<(() => Promise<void>) | undefined>;

/** Folders of others' code and of tools' own files: large, and no server follows them by events. */
const IGNORED = ['node_modules', '.git', '.hg', '.svn', '__pycache__', '.venv', 'venv', '.mypy_cache', '.tox'];

const TYPES = { create: FILE_CHANGE.created, update: FILE_CHANGE.changed, delete: FILE_CHANGE.deleted } as const;

/** Watches this machine's disk. */
export const localFileWatch: FileWatch = async (folder, onChange) => {
  try {
    const { subscribe } = await import('@parcel/watcher');
    const subscription = await subscribe(
      folder,
      (error, events) => {
        if (error) return;
        void Promise.all(events.map(({ path, type }) => filesOf({ path, type: TYPES[type] }))).then((changes) =>
          onChange(changes.flat()),
        );
      },
      { ignore: IGNORED.map((name) => `**/${name}/**`) },
    );
    return () => subscription.unsubscribe();
  } catch {
    // No binary for this machine, or no more watches: open documents are then looked at before each round all the same.
    return undefined;
  }
};

/** A new folder is told alone where its files came before its own watch. */
async function filesOf(change: ChangedFile): Promise<readonly ChangedFile[]> {
  if (change.type !== FILE_CHANGE.created) return [change];
  const entries = await readdir(change.path, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (!entries) return [change];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => ({ path: join(entry.parentPath, entry.name), type: change.type }));
}
