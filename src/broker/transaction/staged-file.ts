import { dirname } from 'node:path';
import { utf8Form } from '../../workspace/document-snapshot.ts';
import type { DocumentStore, StoredContent } from '../../workspace/document-store.ts';
import { applySpanEdits, type SpanEdit } from '../../workspace/span.ts';
import { encodeChange, encodeText } from '../../workspace/text-encoding.ts';
import { type FileBefore, type PlannedFile, textOf } from '../change-request.ts';
import { type Refusal, refuse } from '../refusal.ts';

/** One file of a change as it will be stored: all that is needed to do it, and to take it back. */
export interface StagedFile {
  /** Absolute and real. */
  readonly path: string;
  readonly shown: string;
  /** `undefined`: there was none. */
  readonly before: { readonly content: StoredContent; readonly bytes: Uint8Array; readonly mode?: number } | undefined;
  /** `undefined`: it is removed. */
  readonly after: { readonly bytes: Uint8Array; readonly mode?: number } | undefined;
  /** Of the text before. */
  readonly edits: readonly SpanEdit[];
  /** Folders that come or go with it, outermost first. */
  readonly folders: readonly string[];
  /** The path that a file was moved from; that file goes in the same change. */
  readonly movedFrom?: string;
}

/**
 * The files that a plan writes, in the order of writing: what comes before what goes, so that a move is never a file
 * less. Files that would not change are left out.
 */
export async function stageFiles(
  store: DocumentStore,
  planned: readonly PlannedFile[],
): Promise<{ readonly status: 'staged'; readonly files: readonly StagedFile[] } | Refusal> {
  const coming: StagedFile[] = [];
  const going: StagedFile[] = [];
  for (const plan of planned) {
    const target = plan.op === 'move' ? plan.to : plan.file;
    const source = beforeOf(plan.file);
    const refusal = refusalOf(plan, target);
    if (refusal) return refusal;
    if (plan.op !== 'write' && source) {
      const { path, shown } = plan.file;
      const folders = plan.folders ?? [];
      going.push({ path, shown, before: source, after: undefined, edits: [], folders });
    }
    if (plan.op === 'remove') continue;
    const encoded = encode(plan);
    if (encoded.status === 'refused') return encoded;
    const mode = plan.mode ?? (plan.op === 'move' ? source?.mode : undefined);
    const before = beforeOf(target);
    if (before && Buffer.compare(before.bytes, encoded.bytes) === 0) continue;
    coming.push({
      path: target.path,
      shown: target.shown,
      before,
      after: { bytes: encoded.bytes, ...(mode !== undefined && { mode }) },
      edits: plan.edits,
      folders: before ? [] : await missingFolders(store, target.path),
      ...(plan.op === 'move' && { movedFrom: plan.file.path }),
    });
  }
  return { status: 'staged', files: [...coming, ...going] };
}

function beforeOf({ found }: FileBefore): StagedFile['before'] {
  if (!found) return undefined;
  return { content: found.content, bytes: found.bytes, ...(found.mode !== undefined && { mode: found.mode }) };
}

function refusalOf(plan: PlannedFile, target: FileBefore): Refusal | undefined {
  const { file } = plan;
  if (plan.op === 'write') return undefined;
  if (!file.found) return refuse('not_found', `${file.shown} is not there. Find it with Glob.`);
  if (file.isLink)
    return refuse('denied', `${file.shown} is named by a link. Name the file itself, or remove the link with Bash.`);
  if (file.found.mode !== undefined && (file.found.mode & 0o222) === 0) {
    const mode = file.found.mode.toString(8).padStart(4, '0');
    return refuse('read_only', `${file.shown} is a read-only file (mode ${mode}). chmod u+w it first if it is to go.`);
  }
  return plan.op === 'move' && target.found
    ? refuse('exists', `${target.shown} is there already. Move to another name, or delete it first.`)
    : undefined;
}

function encode(
  plan: Exclude<PlannedFile, { op: 'remove' }>,
): { readonly status: 'encoded'; readonly bytes: Uint8Array } | Refusal {
  if (plan.bytes) return { status: 'encoded', bytes: plan.bytes };
  const { found, shown } = plan.file;
  if (plan.edits.some(({ newText }) => newText.includes('\0'))) {
    const why = 'the new text has a NUL character, and with it the file would be a binary one that can not be edited';
    return refuse('binary', `${shown}: ${why}. Write the character as an escape, or make the file with Bash.`);
  }
  if (!found) return encodeNew(plan);
  if (plan.edits.length === 0) return { status: 'encoded', bytes: found.bytes };
  const text = textOf(found);
  if (text.status === 'refused') return text;
  const encoded = encodeChange(found.bytes, text.snapshot, plan.edits);
  return encoded.status === 'refused' ? refuse('encoding', `${shown}: ${encoded.message}`) : encoded;
}

/** A new file, in the charset that the project asks for. */
function encodeNew({ file, edits }: Exclude<PlannedFile, { op: 'remove' }>): ReturnType<typeof encode> {
  const form = file.style?.form ?? utf8Form();
  const text = applySpanEdits('', edits);
  const nothing = { text: '', form: { ...form, hasBom: false } };
  const check = encodeChange(new Uint8Array(), nothing, [{ start: 0, end: 0, newText: text }]);
  if (check.status === 'refused') {
    return refuse('encoding', `${file.shown}: ${check.message}, or change the charset that .editorconfig asks for.`);
  }
  return { status: 'encoded', bytes: encodeText(text, form) };
}

async function missingFolders(store: DocumentStore, path: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (await store.stat(folder)) break;
    missing.unshift(folder);
  }
  return missing;
}
