import { closeSync, constants, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;
/** How often it is looked whether another process put the file away. */
const LOOK_MS = 2000;

export interface LogFile {
  /** Adds a line. What can't be written is dropped. */
  append(line: string): void;
  close(): void;
}

/**
 * A file of lines that its owner alone can read. When it is full it becomes `FILE.1`, in the place of the one before, and
 * a new one begins: at most twice `maxBytes`. Several processes may write to it. A line is written at once, so that it is
 * there when the process dies by what the line is about.
 */
export function openLogFile(file: string, maxBytes: number = DEFAULT_MAX_BYTES): LogFile {
  let opened: { readonly descriptor: number; readonly ino: number; size: number } | undefined;
  let lookedAt = 0;
  let isClosed = false;

  const open = (): NonNullable<typeof opened> => {
    // A link in its place is not followed.
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(file, flags, 0o600);
    const { ino, size } = fstatSync(descriptor);
    lookedAt = Date.now();
    return { descriptor, ino, size };
  };
  const release = (): void => {
    if (opened) closeSync(opened.descriptor);
    opened = undefined;
  };
  const isThere = ({ ino }: NonNullable<typeof opened>): boolean =>
    statSync(file, { throwIfNoEntry: false })?.ino === ino;

  return {
    append(line) {
      if (isClosed) return;
      try {
        if (opened && Date.now() - lookedAt > LOOK_MS) {
          lookedAt = Date.now();
          if (isThere(opened)) opened.size = fstatSync(opened.descriptor).size;
          else release();
        }
        if (opened && opened.size >= maxBytes) {
          if (isThere(opened)) renameSync(file, `${file}.1`);
          release();
        }
        opened ??= open();
        opened.size += writeSync(opened.descriptor, `${line}\n`);
      } catch {
        // A full disk or a folder that is gone: a log is no reason for a call to fail. The next line tries again.
        release();
      }
    },
    close() {
      isClosed = true;
      release();
    },
  };
}
