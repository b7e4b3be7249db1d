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
import { type DocumentEdits, readWorkspaceEdit } from '../../../workspace/navigation/workspace-edit.ts';
import { applySpanEdits, type SpanEdit } from '../../../workspace/span.ts';
import { findNamedPath, type NamedPath, shownPath } from '../../named-path.ts';
import type { ToolCall } from '../../tool.ts';
import { isQuotedPath, withQuotesEscaped } from './quoted-path.ts';
import type { ServerTexts } from './server-texts.ts';
import { withoutRivals } from './without-rivals.ts';

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
  /** Files that were passed over, as results show them. */
  readonly skipped: readonly string[];
}

interface EditedOptions {
  readonly encoding: PositionEncoding;
  readonly server: string;
  /** What the server had open when it answered. */
  readonly texts: ServerTexts;
  /**
   * The word that every edit must replace, or `paths`, names of modules, so that a server which has other texts than the
   * files is found out. Without it every file must be one of `texts`.
   */
  readonly replaces?: Replaces;
  /** Files that are left as they are. */
  skips?(path: string): boolean;
}

/** What a `WorkspaceEdit` means for the files as they are now; a refusal where a server answered of other texts. */
export async function editedFiles(
  call: ToolCall,
  workspaceEdit: unknown,
  options: EditedOptions,
): Promise<EditedFiles | Refusal> {
  const read = readWorkspaceEdit(workspaceEdit);
  if (read.status === 'unsupported')
    return refuse('unavailable', `the server wants to ${read.what}, which emend does not do.`);
  const created = new Map(read.created.map((uri) => [keyOfUri(uri), '']));
  const skipped: string[] = [];
  const byPath = new Map<string, { readonly place: NamedPath; readonly edits: DocumentEdits['edits'] }>();
  for (const { uri, edits } of read.documents) {
    const path = keyOfUri(uri);
    if (created.has(path)) created.set(path, edits.map(({ newText }) => newText).join(''));
    else if (options.skips?.(path)) skipped.push(shownPath(call.session.root.root, path));
    else if (edits.length > 0) {
      const place = await findNamedPath(call, path);
      if (place.status === 'refused') return place;
      byPath.set(place.path, { place, edits: [...(byPath.get(place.path)?.edits ?? []), ...edits] });
    }
  }
  const files = [...created].map(([path, newText]): EditedFile => {
    return { path, text: undefined, edits: [{ start: 0, end: 0, newText }] };
  });
  for (const { place, edits } of byPath.values()) {
    const file = await editedFile(call, place, edits, options);
    if ('status' in file) return file;
    // Some servers give back as an edit what is there already.
    if (applySpanEdits(file.text ?? '', file.edits) !== file.text) files.push(file);
  }
  // Some servers name them in another order each time.
  return { status: 'edited', files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), skipped };
}

async function editedFile(
  call: ToolCall,
  { path, shown }: NamedPath,
  edits: DocumentEdits['edits'],
  { texts, replaces, server, encoding }: EditedOptions,
): Promise<EditedFile | Refusal> {
  const opened = await call.session.root.documents.open(path, call.signal);
  if (opened.status !== 'open') return refuse('binary', `${shown} has no text that can be edited.`);
  const { text, textDocument } = opened.document.snapshot;
  const answered = texts.get(path);
  if (answered !== undefined && answered !== text) return changedMeanwhile(shown);
  if (answered === undefined && !replaces)
    return refuse('unavailable', `${shown} could not be held open, so what ${server} would change in it is not sure.`);
  if (/[\u2028\u2029]/.test(text) && server.startsWith('typescript-language-server')) {
    const why = 'a line separator (U+2028 or U+2029), after which this server counts lines otherwise than all others';
    return refuse('unavailable', `${shown} has ${why}. Write it as an escape, and try again.`);
  }
  const all = edits.map(({ range, newText }): SpanEdit => {
    const exact = toUtf16Range(textDocument, range, encoding);
    const start = textDocument.offsetAt(exact.start);
    const edit = { start, end: textDocument.offsetAt(exact.end), newText: inForm(newText, text) };
    return replaces === 'paths' ? withQuotesEscaped(text, edit) : edit;
  });
  const spans = withoutRivals(text, all, replaces === 'paths' ? 'paths' : 'others');
  const wrong = wrongEdit(text, spans, replaces);
  if (wrong === undefined) return { path, text, edits: spans };
  return refuse('conflict', `the server's edits don't fit ${shown}: ${wrong}. Nothing was changed; try again.`);
}

function changedMeanwhile(shown: string): Refusal {
  return refuse('stale', `${shown} changed while the server was asked. Nothing was changed; try again.`);
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
    if (now?.snapshot.text !== text) return changedMeanwhile(file.shown);
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
      edits.find((edit) => !isQuotedPath(text, edit)),
      'a path',
    );
  const bare = (name: string): string => name.replace(/^["'`#]+|["'`]+$/g, '');
  const wrong = edits.find(({ start, end, newText }) => {
    const old = text.slice(start, end);
    return bare(old) !== bare(replaces.word) && !(old.includes(replaces.word) && newText.includes(replaces.by));
  });
  return wrongPlace(text, wrong, replaces.word);
}

function wrongPlace(text: string, wrong: SpanEdit | undefined, wanted: string): string | undefined {
  if (!wrong) return undefined;
  const line = text.slice(0, wrong.start).split('\n').length;
  return `L${line} has ${JSON.stringify(text.slice(wrong.start, wrong.end).slice(0, 60))} where ${wanted} should be`;
}
