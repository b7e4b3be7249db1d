import { StoreError, type StoreErrorCode } from './document-store.ts';

/** What the system said, as it says it: `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

const MEANINGS: Readonly<Record<string, readonly [StoreErrorCode, string]>> = {
  ENOENT: ['not_found', 'there is no such file or folder'],
  ENOTDIR: ['not_found', 'a part of the path is a file, not a folder'],
  EISDIR: ['is_directory', 'it is a folder. Name a file in it'],
  EACCES: ['denied', 'no permission. Whoever owns it must grant it'],
  EPERM: ['denied', 'the system does not permit it'],
  EROFS: ['read_only', 'it is on a read-only file system. Write somewhere else'],
  ELOOP: ['denied', 'its symbolic links lead in a circle, or were changed meanwhile'],
  ENAMETOOLONG: ['io', 'the name is too long for its file system'],
  ENOSPC: ['io', 'no space left on its device. Free some, then try again'],
  EDQUOT: ['io', 'the disk quota is used up. Free some, then try again'],
  EFBIG: ['io', 'the file would be larger than is allowed here'],
  EMFILE: ['io', 'too many files are open. Try again'],
  ENFILE: ['io', 'too many files are open. Try again'],
  EBUSY: ['io', 'it is in use by the system'],
  ETXTBSY: ['io', 'it is a program that is running'],
};

/** A failure of the disk as a `StoreError` about the path that was asked for, whatever path the system spoke of. */
export function storeErrorOf(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const errno = errnoOf(error);
  const known = errno === undefined ? undefined : MEANINGS[errno];
  if (known) return new StoreError(known[0], `${path}: ${known[1]}`, error);
  return new StoreError('io', `${path}: the disk failed (${errno ?? String(error)})`, error);
}
