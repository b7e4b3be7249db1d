import { applySpanEdits, type SpanEdit } from '../../workspace/span.ts';
import { type FileBefore, newText, type PlannedFile, type PlannedText, textOf } from '../change-request.ts';
import { lineEdits } from '../merge/line-edits.ts';

/** What stands at a path as the parts of a patch read so far leave it. */
export interface DraftFile {
  /** The path, and what was there before the patch. */
  readonly file: FileBefore;
  readonly isThere: boolean;
  /** The file of before that is there, perhaps from elsewhere; `undefined`: none, or a new one. */
  readonly of?: FileBefore;
  /** Absent where it is as it was. */
  readonly text?: string;
  /** What made `text` of the file's text, where it was one step. */
  readonly edits?: readonly SpanEdit[];
  /** Permission bits of a new file. */
  readonly mode?: number;
  readonly how?: Pick<PlannedText, 'matchedVia' | 'detail' | 'kept' | 'asked'>;
}

/** What has to be done to the files for a patch to be made. A file that is moved is told once, under its new name. */
export function plannedFiles(drafts: readonly DraftFile[]): readonly PlannedFile[] {
  const kept = new Set(drafts.flatMap(({ isThere, of }) => (isThere && of ? [of.path] : [])));
  return drafts.flatMap((draft): readonly PlannedFile[] => {
    const { file, isThere, of } = draft;
    const isLost = file.found !== undefined && !kept.has(file.path);
    // Its text is what a new one in its place is told from.
    const isReplaced = isLost && isThere && !of && file.found && textOf(file.found).status === 'text';
    const comes = isThere ? planned(draft, isReplaced ? file : { ...file, found: undefined }) : [];
    return isLost && !isReplaced ? [{ op: 'remove', file }, ...comes] : comes;
  });
}

/** What comes to a path; `place` is the path as it will be found then. */
function planned(draft: DraftFile, place: FileBefore): readonly PlannedFile[] {
  const { file, of, text = '', mode, how } = draft;
  if (of && of.path !== file.path) return [{ op: 'move', file: of, to: place, edits: editsOf(of, draft), ...how }];
  if (of) return draft.text === undefined ? [] : [{ op: 'write', file, edits: editsOf(of, draft), ...how }];
  const made = { ...newText(place, text), ...(mode !== undefined && { mode }) };
  if (!place.found) return [made];
  return [{ ...made, isNew: true, isBlind: true, edits: lineEdits(textIn(place), applySpanEdits('', made.edits)) }];
}

function editsOf(source: FileBefore, draft: DraftFile): readonly SpanEdit[] {
  const before = textIn(source);
  const { text = before, edits } = draft;
  if (edits && applySpanEdits(before, edits) === text) return edits;
  if (before === '') return text === '' ? [] : [{ start: 0, end: 0, newText: text }];
  return lineEdits(before, text);
}

function textIn({ found }: FileBefore): string {
  const text = found && textOf(found);
  return text?.status === 'text' ? text.snapshot.text : '';
}
