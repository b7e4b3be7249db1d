import { closeSync, constants, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;
/** How often it is looked whether another process put the file away. */
const LOOK_MS = 2000;
/** How long a line that can wait does: many are written as one, and none while its call is answered. */
const GATHER_MS = 200;
const MAX_GATHERED = 64 * 1024;

interface LogFile {
  /** Adds a line. `now`: it is in the file when this returns; `soon`: in a moment. What can't be written is dropped. */
  append(line: string, when: 'now' | 'soon'): void;
  /** What waits is written. */
  close(): void;
}

/** Those that have lines which wait, for the end of the process. */
const waiting = new Set<() => void>();
let isEndWatched = false;

/**
 * A file of lines that its owner alone can read. When it is full it becomes `FILE.1`, in the place of the one before, and
 * a new one begins: at most twice `maxBytes`. Several processes may write to it.
 */
export function openLogFile(file: string, maxBytes: number = DEFAULT_MAX_BYTES): LogFile {
  let opened: { readonly descriptor: number; readonly ino: number; size: number } | undefined;
  let lookedAt = 0;
  let isClosed = false;
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;

  const open = (): NonNullable<typeof opened> => {
    // A link in its place is not followed.
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(file, flags, 0o600);
    const { ino, size } = fstatSync(descriptor);
    lookedAt = Date.now();
    return { descriptor, ino, size };
  };
  const release = (): void => {
    const old = opened;
    opened = undefined;
    if (old) closeSync(old.descriptor);
  };
  const isThere = ({ ino }: NonNullable<typeof opened>): boolean =>
    statSync(file, { throwIfNoEntry: false })?.ino === ino;

  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    waiting.delete(write);
    const text = gathered;
    gathered = '';
    if (text === '') return;
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
      opened.size += writeSync(opened.descriptor, text);
    } catch {
      // A full disk or a folder that is gone: a log is no reason for a call to fail. The next line tries again.
      release();
    }
  };

  return {
    append(line, when) {
      if (isClosed) return;
      gathered += `${line}\n`;
      if (when === 'now' || gathered.length > MAX_GATHERED) return write();
      if (timer) return;
      timer = setTimeout(write, GATHER_MS);
      timer.unref();
      waiting.add(write);
      watchEnd();
    },
    close() {
      write();
      isClosed = true;
      release();
    },
  };
}

function watchEnd(): void {
  if (isEndWatched) return;
  isEndWatched = true;
  process.once('exit', () => {
    for (const write of waiting) write();
  });
}
