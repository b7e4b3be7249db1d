import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { type DocumentStore, type FileOrigin, type StoredContent, StoreError } from '../../workspace/document-store.ts';
import { decodeText } from '../../workspace/text-encoding.ts';
import { lineEdits } from '../merge/line-edits.ts';
import type { ChangedFile, ChangedSide } from './change-record.ts';

/** What is at the path of a step: what was before it, what it made, or something else. */
type FileState =
  | { readonly is: 'before' | 'other' }
  | { readonly is: 'after'; readonly content: StoredContent | undefined };

/** Looks at one step of a change. @throws StoreError for what can't be read */
export async function stateOf(store: DocumentStore, file: ChangedFile): Promise<FileState> {
  const content = await readIfThere(store, file.path);
  const hash = content ? hashOf(content) : null;
  const [before, after] = [file.before?.sha256 ?? null, file.after?.sha256 ?? null];
  // Of two files with one content it is the number that tells them apart.
  const isStill = hash !== null && before === after && (await store.stat(file.path))?.inode === file.before?.inode;
  if (hash === after && !isStill) return { is: 'after', content };
  return { is: hash === before ? 'before' : 'other' };
}

/** A step, and all that is needed to take it back. */
interface Restoring {
  readonly file: ChangedFile;
  readonly before: Uint8Array | undefined;
  /** The step that gave the file another name, when this took the old one. */
  readonly moved: ChangedFile | undefined;
  /** Where other names of a file are looked for. */
  readonly root: string;
}

/** Of a step that took a name from a file, the one before it that gave that file another. */
export function movedBy(steps: readonly ChangedFile[], index: number): ChangedFile | undefined {
  const file = steps[index];
  if (!file || file.after) return undefined;
  return steps.slice(0, index).findLast(({ movedFrom }) => movedFrom === file.path);
}

/**
 * Takes one step of a change back. Only the content that the change made is replaced; what someone else wrote since
 * stays: `kept`.
 * @throws StoreError
 */
export async function restoreFile(store: DocumentStore, what: Restoring): Promise<'restored' | 'kept'> {
  const { file } = what;
  const state = await stateOf(store, file);
  if (state.is === 'other') return 'kept';
  if (state.is === 'after' && !(await putBack(store, what, state.content))) return 'kept';
  await store.tidy?.(dirname(file.path), file.before ? [] : file.folders);
  return 'restored';
}

async function putBack(
  store: DocumentStore,
  { file, before, moved, root }: Restoring,
  content: StoredContent | undefined,
): Promise<boolean> {
  const { path } = file;
  if (!file.before) return !content || (await store.remove(path, content, file.folders)).status === 'written';
  if (!before) throw new StoreError('io', `${path}: its old content is not kept any more`);
  const edits = content ? lineEdits(textOf(content), textOf({ kind: 'file', bytes: before })) : [];
  const { mode, owner, attributes } = file.before;
  const traits = {
    ...(mode !== undefined && { mode }),
    ...(owner && { owner }),
    ...(attributes !== undefined && { attributes }),
  };
  const change = { base: content ?? null, bytes: before, edits, ...traits };
  const isOther = content && (file.movedFrom !== undefined || file.isNew);
  const source = moved?.path ?? (file.after && !isOther ? undefined : await otherName(store, file.before, root));
  if (source !== undefined) {
    const origin: FileOrigin = { kind: 'of', path: source };
    if ((await store.write(path, { ...change, origin })).status === 'written') return true;
  }
  const end = await store.write(path, isOther ? { ...change, origin: { kind: 'new' } } : change);
  return end.status === 'written';
}

/** Another name that a file has kept, though this one was taken from it. */
export async function otherName(
  store: DocumentStore,
  { inode, links = 1 }: ChangedSide,
  root: string,
): Promise<string | undefined> {
  return inode === undefined || links < 2 ? undefined : store.nameOf?.(inode, root);
}

function hashOf(content: StoredContent): string {
  return createHash('sha256')
    .update(content.kind === 'file' ? content.bytes : Buffer.from(content.text))
    .digest('hex');
}

/** As an editor would show it; a file on the disk is put back by its bytes. */
function textOf(content: StoredContent): string {
  if (content.kind === 'buffer') return content.text;
  const decoded = decodeText(content.bytes);
  return decoded.status === 'decoded' ? decoded.text : '';
}

async function readIfThere(store: DocumentStore, path: string): Promise<StoredContent | undefined> {
  try {
    return await store.read(path);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not_found') return undefined;
    throw error;
  }
}
