import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import type { FileOwner, StoredContent } from '../workspace/document-store.ts';
import { markedStyle, type NewFileStyle, newFileStyle, styledText } from '../workspace/new-file-style.ts';
import type { SpanEdit } from '../workspace/span.ts';
import type { PlanEdit } from './edit-planner.ts';
import type { LineRange } from './line-ranges.ts';
import type { MatchedVia } from './matched-via.ts';
import type { Refusal } from './refusal.ts';

/** What a tool wants of one file or of several; it is asked again when one of them changed meanwhile. */
export interface ChangeRequest {
  /** Every file that the plan speaks of, as the caller spelled it. */
  readonly paths: readonly string[];
  /** Those of them at which a new file may come to stand, be there one or not. */
  readonly made?: readonly string[];
  /** The receipt that late diagnostics are labelled with, and that undoes the change. */
  readonly receipt: string;
  /** `plan`: nothing is written, and the answer is what it would come to. */
  readonly mode?: 'write' | 'plan';
  /** Given the files as they are, what to write. Pure, but for the thread that `planEdit` may run on. */
  plan(files: FilesBefore, planEdit: PlanEdit): PlannedChange | Refusal | Promise<PlannedChange | Refusal>;
}

/** The files of a request as they are now. Two spellings of one file give the same. */
export interface FilesBefore {
  /** @throws RangeError for a path that the request did not name */
  at(spelled: string): FileBefore;
}

/** One file as it is before a change, or that there is none. */
export interface FileBefore {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Relative to the root where it lies inside. */
  readonly shown: string;
  /** `undefined`: there is no file. */
  readonly found: FoundFile | undefined;
  /** Where there is no file, or a new one may take its place: how one is to be written here. */
  readonly style?: NewFileStyle;
  /** The last part of the path as it was spelled is a link to this file. */
  readonly isLink: boolean;
  /** The link's own name then, relative to the root where it lies inside. */
  readonly link?: string;
}

/** A file that a change is planned on, as it was found under its lock. */
export interface FoundFile {
  readonly content: StoredContent;
  readonly bytes: Uint8Array;
  /** Permission bits, where the store keeps any; the others too. */
  readonly mode: number | undefined;
  readonly owner?: FileOwner | undefined;
  /** As `StoredStat` has them. */
  readonly inode?: string | undefined;
  readonly links?: number | undefined;
  /** Its text, or why it can't be changed as text. */
  readonly text: DocumentSnapshot | Refusal;
}

/**
 * What a change makes of its files. A path is named once at most, and once more where the file there goes (`remove`,
 * `move`) and another comes: that one's `FileBefore` says then that nothing is `found`.
 */
export interface PlannedChange {
  readonly status: 'planned';
  readonly files: readonly PlannedFile[];
}

/** What becomes of one file: another text, another name, or nothing. */
export type PlannedFile = PlannedText | PlannedRemoval | PlannedMove;

/** Other text in a file, or a file that was not there. */
export interface PlannedText {
  readonly op: 'write';
  readonly file: FileBefore;
  /** A new file in the place of the one that is there: that one's other names keep it as it was. */
  readonly isNew?: true;
  /** Of the text before; for a new file one insertion at 0. */
  readonly edits: readonly SpanEdit[];
  /** The whole content after, where it is known to the byte. */
  readonly bytes?: Uint8Array;
  /** What a new file is to have besides its content; permission bits, as `StoredChange`. */
  readonly mode?: number;
  readonly owner?: FileOwner;
  readonly attributes?: string;
  /** The file to be, where it has these bytes: a further name of it. Absolute and real. */
  readonly linkOf?: string;
  /** What has to be said of it when it has landed. */
  readonly note?: string;
  /** Text goes that the caller was not shown and did not name: it is written only once the old content is kept. */
  readonly isBlind?: true;
  readonly matchedVia?: MatchedVia;
  /** How it matched, in words: `shifted 4 spaces`. */
  readonly detail?: string;
  /** Kept lines (1-based, after) in which the request had other words. */
  readonly kept?: readonly number[];
  /** What was asked for, and where it stands: to know it when it comes again. */
  readonly asked?: readonly AskedEdit[];
}

/** Strings of a request, and the lines (1-based, after the whole change) that they came to stand in. */
export interface AskedEdit {
  readonly oldString: string;
  readonly newString: string;
  readonly lines: LineRange;
}

interface PlannedRemoval {
  readonly op: 'remove';
  readonly file: FileBefore;
  /** Folders that go with it where they are empty then. */
  readonly folders?: readonly string[];
}

/** A file under another name, with edits of its text on the way. */
export interface PlannedMove extends Omit<PlannedText, 'op'> {
  readonly op: 'move';
  readonly to: FileBefore;
  readonly folders?: readonly string[];
}

/** A plan for one file that has a text. */
export function plannedText(file: FileBefore, plan: Omit<PlannedText, 'op' | 'file'>): PlannedChange {
  return { status: 'planned', files: [{ op: 'write', file, ...plan }] };
}

/** A plan for a file that is not there yet, written as the project asks for. */
export function plannedNewText(file: FileBefore, content: string): PlannedChange {
  return { status: 'planned', files: [newText(file, content)] };
}

/** The same as a part of a plan for several files. */
export function newText(file: FileBefore, content: string): PlannedText {
  const style = markedStyle(file.style ?? newFileStyle({}), content);
  const text = styledText(content.replace(/^\ufeff/, ''), style);
  const edits = text === '' ? [] : [{ start: 0, end: 0, newText: text }];
  return { op: 'write', file: { ...file, style }, edits };
}

/** The text of a file that is there, or why it can't be changed. */
export function textOf(found: FoundFile): { readonly status: 'text'; readonly snapshot: DocumentSnapshot } | Refusal {
  return 'status' in found.text ? found.text : { status: 'text', snapshot: found.text };
}
