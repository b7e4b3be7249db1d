import type { SpanEdit } from '../workspace/span.ts';
import type { MatchedVia } from './matched-via.ts';
import type { Refusal } from './refusal.ts';

/** One edit as it was asked for, of a text that is given with it. */
export interface EditRequest {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
  /** Names the file in messages and tells its language; nothing is read. */
  readonly path?: string;
}

/** An edit that can be made, or why it must not be. */
export type EditPlan = PlannedEdit | Refusal;

/** An edit that found its place: what to change, and how it matched. */
export interface PlannedEdit {
  readonly status: 'planned';
  /** Of the text before: in order, not overlapping, without bytes that stay as they are. */
  readonly edits: readonly SpanEdit[];
  readonly matchedVia: MatchedVia;
  /** How it matched, in words: `shifted 4 spaces`. */
  readonly detail?: string;
  /** How many places were changed. */
  readonly places: number;
  /** 1-based lines of the text after, kept as in the file where old_string had other words. */
  readonly kept: readonly number[];
  /** 1-based first line and number of lines, before and after. */
  readonly hunks: readonly EditHunk[];
}

/** Lines that an edit changed: 1-based first line and number of lines, before and after. */
export interface EditHunk {
  readonly old: readonly [number, number];
  readonly new: readonly [number, number];
}
