import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from './document-store.ts';
import { ownProcess, processState } from './local-process-identity.ts';
import { stateErrorOf } from './local-state-errors.ts';
import { userStateFolder } from './local-state-folder.ts';

/** What a write in place is about to do, kept until it is done. */
interface SavedBytes {
  /** Where the old bytes are, for a message when they could not be put back. */
  readonly file: string;
  /** Called when the file is whole again. */
  discard(): Promise<void>;
}

/** A write in place that its process did not live to end. */
interface InterruptedWrite {
  readonly path: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  discard(): Promise<void>;
}

const NAME = /^([0-9a-f]+\.\d+\.[0-9a-z]+)-[0-9a-f]+\.saved$/;

/**
 * Keeps both contents of a file on disk before the first byte of it is overwritten.
 * @throws StoreError that names the state folder, where they can't be kept
 */
export async function saveBytes(path: string, before: Uint8Array, after: Uint8Array): Promise<SavedBytes> {
  let folder = 'of this user';
  try {
    folder = savedFolder();
    return await save(join(folder, savedName()), { path, before, after });
  } catch (error) {
    const { message } = stateErrorOf(error, folder);
    const why = `${path} was not changed: it has to be written where it lies, its old content must be kept first, and`;
    throw new StoreError('io', `${why} ${message}`, error);
  }
}

const savedName = (): string => `${ownProcess}-${randomBytes(6).toString('hex')}.saved`;

async function save(
  file: string,
  { path, before, after }: { readonly path: string; readonly before: Uint8Array; readonly after: Uint8Array },
): Promise<SavedBytes> {
  const header = `${JSON.stringify({ path, before: before.length, after: after.length })}\n`;
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(Buffer.concat([Buffer.from(header), before, after]));
    await handle.sync();
  } catch (error) {
    await unlink(file);
    throw error;
  } finally {
    await handle.close();
  }
  return { file, discard: () => unlink(file) };
}

/** What processes that died had begun. */
export async function interruptedWrites(): Promise<readonly InterruptedWrite[]> {
  const found: InterruptedWrite[] = [];
  for (const name of await readdir(savedFolder())) {
    const owner = NAME.exec(name)?.[1];
    if (owner === undefined || processState(owner) !== 'dead') continue;
    const file = join(savedFolder(), name);
    const write = parse(await readFile(file));
    // Cut short itself: then the file it speaks of was not touched yet.
    if (write) found.push({ ...write, discard: () => unlink(file) });
    else await unlink(file);
  }
  return found;
}

function savedFolder(): string {
  return userStateFolder('saved');
}

function parse(bytes: Buffer): Omit<InterruptedWrite, 'discard'> | undefined {
  const end = bytes.indexOf(10);
  if (end < 0) return undefined;
  const header: unknown = JSON.parse(bytes.toString('utf8', 0, end));
  if (typeof header !== 'object' || header === null) return undefined;
  const { path, before, after } = header as { path?: unknown; before?: unknown; after?: unknown };
  if (typeof path !== 'string' || typeof before !== 'number' || typeof after !== 'number') return undefined;
  const body = bytes.subarray(end + 1);
  if (body.length !== before + after) return undefined;
  return { path, before: body.subarray(0, before), after: body.subarray(before) };
}
