import {
  type FilesBefore,
  newText,
  type PlannedChange,
  type PlannedFile,
  textOf,
} from '../../../broker/change-request.ts';
import { type Refusal, refuse } from '../../../broker/refusal.ts';
import { type PositionEncoding, toUtf16Range } from '../../../workspace/language-server/position-encoding.ts';
import { keyOfUri } from '../../../workspace/language-server/synced-documents.ts';
import { lineEndingsOf } from '../../../workspace/line-endings.ts';
import { readWorkspaceEdit } from '../../../workspace/navigation/workspace-edit.ts';
import { applySpanEdits, type SpanEdit } from '../../../workspace/span.ts';
import { findNamedPath } from '../../named-path.ts';
import type { ToolCall } from '../../tool.ts';

/** A file that a server wants changed, with the text that it was asked about. */
export interface EditedFile {
  /** Absolute, links resolved. */
  readonly path: string;
  /** `undefined`: it is to be made. */
  readonly text: string | undefined;
  readonly edits: readonly SpanEdit[];
}

/** What every edit must replace. */
type Replaces = { readonly word: string; readonly by: string } | 'paths';

/** A workspace edit, file by file. */
interface EditedFiles {
  readonly status: 'edited';
  readonly files: readonly EditedFile[];
}

/**
 * What a `WorkspaceEdit` means for the files as they are now. `replaces`: the word that every edit must replace, or
 * `paths`, names of modules, so that a server which has other texts than the files is found out.
 */
export async function editedFiles(
  call: ToolCall,
  workspaceEdit: unknown,
  options: { readonly encoding: PositionEncoding; readonly server: string; readonly replaces?: Replaces },
): Promise<EditedFiles | Refusal> {
  const read = readWorkspaceEdit(workspaceEdit);
  if (read.status === 'unsupported')
    return refuse('unavailable', `the server wants to ${read.what}, which emend does not do.`);
  const { documents } = call.session.root;
  const created = new Set(read.created.map(keyOfUri));
  const files: EditedFile[] = [];
  // Some servers name them in another order each time.
  const named = read.documents.map(({ uri, edits }) => ({ path: keyOfUri(uri), edits }));
  for (const { path, edits } of named.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (edits.length === 0) continue;
    if (created.has(path)) {
      files.push({
        path,
        text: undefined,
        edits: [{ start: 0, end: 0, newText: edits.map((edit) => edit.newText).join('') }],
      });
      continue;
    }
    const place = await findNamedPath(call, path);
    if (place.status === 'refused') return place;
    const opened = await documents.open(place.path, call.signal);
    if (opened.status !== 'open') return refuse('binary', `${place.shown} has no text that can be edited.`);
    const { text, textDocument } = opened.document.snapshot;
    if (/[\u2028\u2029]/.test(text) && options.server.startsWith('typescript-language-server')) {
      const why = 'a line separator (U+2028 or U+2029), after which this server counts lines otherwise than all others';
      return refuse('unavailable', `${place.shown} has ${why}. Write it as an escape, and try again.`);
    }
    const spans = edits.map(({ range, newText }): SpanEdit => {
      const exact = toUtf16Range(textDocument, range, options.encoding);
      const start = textDocument.offsetAt(exact.start);
      return { start, end: textDocument.offsetAt(exact.end), newText: inForm(newText, text) };
    });
    const wrong = wrongEdit(text, spans, options.replaces);
    if (wrong !== undefined) {
      return refuse(
        'conflict',
        `the server's edits don't fit ${place.shown}: ${wrong}. Nothing was changed; try again.`,
      );
    }
    // Some servers give back as an edit what is there already.
    if (applySpanEdits(text, spans) !== text) files.push({ path: place.path, text, edits: spans });
  }
  return { status: 'edited', files };
}

/** The plan that makes them, refused where a file is not any more what the server was asked about. */
export function planEditedFiles(files: FilesBefore, edited: readonly EditedFile[]): PlannedChange | Refusal {
  const planned: PlannedFile[] = [];
  for (const { path, text, edits } of edited) {
    const file = files.at(path);
    if (text === undefined) {
      if (file.found) return refuse('exists', `${file.shown} is there already.`);
      planned.push(newText(file, edits[0]?.newText ?? ''));
      continue;
    }
    const now = file.found && textOf(file.found);
    if (now?.status === 'refused') return now;
    if (now?.snapshot.text !== text) {
      return refuse('stale', `${file.shown} changed while the server was asked. Nothing was changed; try again.`);
    }
    planned.push({ op: 'write', file, edits });
  }
  return { status: 'planned', files: planned };
}

/** Line ends as the file has them. */
function inForm(newText: string, text: string): string {
  return lineEndingsOf(text) === 'crlf' ? newText.replace(/\r?\n/g, '\r\n') : newText;
}

function wrongEdit(text: string, edits: readonly SpanEdit[], replaces: Replaces | undefined): string | undefined {
  try {
    applySpanEdits(text, edits);
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
  if (!replaces) return undefined;
  if (replaces === 'paths')
    return wrongPlace(
      text,
      edits.find((edit) => !isPath(text, edit)),
      'a path',
    );
  const bare = (name: string): string => name.replace(/^["'`#]+|["'`]+$/g, '');
  const wrong = edits.find(({ start, end, newText }) => {
    const old = text.slice(start, end);
    return bare(old) !== bare(replaces.word) && !(old.includes(replaces.word) && newText.includes(replaces.by));
  });
  return wrongPlace(text, wrong, replaces.word);
}

/** Whether an edit replaces what stands between two quotes, or with them. */
function isPath(text: string, { start, end }: SpanEdit): boolean {
  const isQuoted = (from: number, to: number): boolean =>
    /^(["'`])[^\r\n"'`]*\1$/.test(text.slice(Math.max(0, from), to));
  return isQuoted(start - 1, end + 1) || isQuoted(start, end);
}

function wrongPlace(text: string, wrong: SpanEdit | undefined, wanted: string): string | undefined {
  if (!wrong) return undefined;
  const line = text.slice(0, wrong.start).split('\n').length;
  return `L${line} has ${JSON.stringify(text.slice(wrong.start, wrong.end).slice(0, 60))} where ${wanted} should be`;
}
