import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { type DocumentStore, type StoredContent, StoreError } from '../../workspace/document-store.ts';
import { decodeText } from '../../workspace/text-encoding.ts';
import { planWrite } from '../plan-write.ts';
import type { ChangedFile } from './change-record.ts';

/** What is at the path of a changed file: what was before the change, what the change made, or something else. */
export type FileState =
  | { readonly is: 'before' | 'other' }
  | { readonly is: 'after'; readonly content: StoredContent | undefined };

/** Looks at one file of a change. @throws StoreError for what can't be read */
export async function stateOf(store: DocumentStore, file: ChangedFile): Promise<FileState> {
  const content = await readIfThere(store, file.path);
  const hash = content ? hashOf(content) : null;
  if (hash === (file.after?.sha256 ?? null)) return { is: 'after', content };
  return { is: hash === (file.before?.sha256 ?? null) ? 'before' : 'other' };
}

/**
 * Takes one file of a change back. Only the content that the change made is replaced; what someone else wrote since
 * stays: `kept`.
 * @throws StoreError
 */
export async function restoreFile(
  store: DocumentStore,
  file: ChangedFile,
  before: Uint8Array | undefined,
): Promise<'restored' | 'kept'> {
  const state = await stateOf(store, file);
  if (state.is === 'other') return 'kept';
  if (state.is === 'after' && !(await putBack(store, file, { content: state.content, before }))) return 'kept';
  await store.tidy?.(dirname(file.path), file.before ? [] : file.folders);
  return 'restored';
}

async function putBack(
  store: DocumentStore,
  file: ChangedFile,
  { content, before }: { readonly content: StoredContent | undefined; readonly before: Uint8Array | undefined },
): Promise<boolean> {
  const { path } = file;
  if (!file.before) return !content || (await store.remove(path, content, file.folders)).status === 'written';
  if (!before) throw new StoreError('io', `${path}: its old content is not kept any more`);
  const edits = content ? planWrite(textOf(content), textOf({ kind: 'file', bytes: before })) : [];
  const { mode } = file.before;
  const change = { base: content ?? null, bytes: before, edits, ...(mode !== undefined && { mode }) };
  return (await store.write(path, change)).status === 'written';
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
