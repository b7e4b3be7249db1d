import { applySpanEdits, type SpanEdit } from '../../workspace/span.ts';
import { type FileBefore, newText, type PlannedFile, type PlannedText, textOf } from '../change-request.ts';
import { planWrite } from '../plan-write.ts';

/** A file as the parts of a patch read so far leave it. */
export interface DraftFile {
  readonly file: FileBefore;
  readonly isThere: boolean;
  /** Absent where it is as it was. */
  readonly text?: string;
  /** What made `text` of the file's text, where it was one step. */
  readonly edits?: readonly SpanEdit[];
  /** The file that it was before it was moved. */
  readonly movedFrom?: FileBefore;
  /** Permission bits of a new file. */
  readonly mode?: number;
  /** Its text was given whole, whatever stood there before. */
  readonly isAdded?: true;
  readonly how?: Pick<PlannedText, 'matchedVia' | 'detail' | 'kept' | 'asked'>;
}

/** What has to be done to the files for a patch to be made. A file that is moved is told once, under its new name. */
export function plannedFiles(drafts: readonly DraftFile[]): readonly PlannedFile[] {
  const moved = new Set<string>();
  for (const draft of drafts) {
    const source = moveSource(draft, drafts);
    if (source) moved.add(source.path);
  }
  return drafts.flatMap((draft): readonly PlannedFile[] => {
    const { file, isThere } = draft;
    if (!isThere) return file.found && !moved.has(file.path) ? [{ op: 'remove', file }] : [];
    const source = moveSource(draft, drafts);
    if (source) return [{ op: 'move', file: source, to: file, edits: editsFrom(source, draft), ...draft.how }];
    return isUntouched(draft) ? [] : [written(draft)];
  });
}

/** Only where the old name is free and the new one was: else it is a file that goes and one that comes. */
function moveSource(draft: DraftFile, drafts: readonly DraftFile[]): FileBefore | undefined {
  const { movedFrom, file, isThere } = draft;
  if (!isThere || !movedFrom?.found || file.found) return undefined;
  return drafts.some((other) => other.file.path === movedFrom.path && other.isThere) ? undefined : movedFrom;
}

function isUntouched({ text, movedFrom }: DraftFile): boolean {
  return text === undefined && movedFrom === undefined;
}

function written(draft: DraftFile): PlannedText {
  const { file, mode, movedFrom, how } = draft;
  if (!file.found && !movedFrom) return { ...newText(file, draft.text ?? ''), ...(mode !== undefined && { mode }) };
  // A file that took the place of another, and was itself replaced: its bytes are all that is left of it.
  const bytes = draft.text === undefined ? movedFrom?.found?.bytes : undefined;
  return {
    op: 'write',
    file,
    edits: editsFrom(file, draft),
    ...(bytes && { bytes }),
    ...(mode !== undefined && { mode }),
    ...(file.found && draft.isAdded && { isBlind: true }),
    ...how,
  };
}

function editsFrom(source: FileBefore, draft: DraftFile): readonly SpanEdit[] {
  const text = draft.text ?? textIn(draft.movedFrom ?? source);
  const before = textIn(source);
  const isOfSource = source === (draft.movedFrom ?? draft.file);
  if (draft.edits && isOfSource && applySpanEdits(before, draft.edits) === text) return draft.edits;
  if (before === '') return text === '' ? [] : [{ start: 0, end: 0, newText: text }];
  return planWrite(before, text);
}

function textIn({ found }: FileBefore): string {
  const text = found && textOf(found);
  return text?.status === 'text' ? text.snapshot.text : '';
}
