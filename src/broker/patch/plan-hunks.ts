import type { SpanEdit } from '../../workspace/span.ts';
import type { AskedEdit } from '../change-request.ts';
import { type PlanEdit, planHere } from '../edit-planner.ts';
import { Budget } from '../match/budget.ts';
import { addedElision } from '../match/elision.ts';
import { laxest, type MatchedVia } from '../matched-via.ts';
import { madeAlready, type SeenText } from '../plan-seen-edit.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { elision } from '../refusal-words.ts';
import { hunkRequest, unseenPlace } from './hunk-request.ts';
import type { PatchHunk } from './patch.ts';
import { emptyPatch, hunkOrder, inHunk, notUnderHeader, overlappingHunks } from './patch-words.ts';
import { type PlacedHunk, placeHunk } from './place-hunk.ts';
import { textLines } from './text-lines.ts';

/** The hunks of one file as edits of its text. */
export interface HunksPlan {
  readonly status: 'planned';
  /** Of the text before; in order, not overlapping. */
  readonly edits: readonly SpanEdit[];
  /** The loosest that any hunk needed. */
  readonly matchedVia: MatchedVia;
  readonly detail?: string;
  /** 1-based lines of the text after, kept as in the file where a hunk had other words. */
  readonly kept: readonly number[];
  /** Each hunk, and the lines of the text after that it came to stand in. */
  readonly asked: readonly AskedEdit[];
}

/** A file's text that hunks are of, with what the session knows of it where one is asked. */
interface PatchedText {
  readonly shown: string;
  readonly text: string;
  readonly seen?: SeenText;
}

/**
 * Where each hunk is meant, and what it makes of the text. Hunks follow each other in the file, and all speak of the
 * text before. All or nothing; a refusal names its hunk.
 */
export async function planHunks(
  { shown, text, seen }: PatchedText,
  hunks: readonly PatchHunk[],
  { planEdit = planHere, budget = new Budget() }: { readonly planEdit?: PlanEdit; readonly budget?: Budget } = {},
): Promise<HunksPlan | Refusal> {
  const lines = textLines(text);
  const placed: PlacedHunk[] = [];
  const asked: AskedEdit[] = [];
  let grown = 0;
  const number = (index: number) => ({ at: index, of: hunks.length, shown });
  if (!hunks.some((hunk) => hunk.lines.some(({ sign }) => sign !== ' '))) return emptyPatch(shown);
  for (const [index, hunk] of hunks.entries()) {
    if (hunk.lines.every(({ sign }) => sign === ' ')) continue;
    const again = seen && madeAlready(seen, hunkRequest(hunk, shown));
    if (again) return inHunk(again, number(index));
    const mark = addedElision(added(hunk), '', text);
    if (mark !== undefined) return inHunk(elision(mark), number(index));
    const previous = placed.at(-1);
    const [from, shift] = [previous?.endLine ?? 0, previous?.shift ?? 0];
    const place = await placeHunk(lines, hunk, { shown, from, shift, budget, planEdit });
    switch (place.status) {
      case 'placed': {
        const other = seen && (await unseenPlace(seen, hunk, { place, lines, shift, planEdit }));
        if (other) return inHunk(other, number(index));
        const { oldString, newString } = hunkRequest(hunk, shown);
        const first = lines.lineAt(place.edits[0]?.start ?? 0) + grown + 1;
        grown += place.lineGrowth;
        asked.push({ oldString, newString, lines: [first, place.endLine + grown] });
        placed.push(place);
        break;
      }
      case 'refused':
        return inHunk(place, number(index));
      case 'too early':
        return inHunk(hunkOrder(shown, place.line), number(index));
      case 'elsewhere':
        return inHunk(notUnderHeader(shown, place), number(index));
    }
  }
  const edits = placed.flatMap((place) => place.edits);
  for (let index = 1; index < edits.length; index += 1) {
    if ((edits[index]?.start ?? 0) < (edits[index - 1]?.end ?? 0)) return overlappingHunks(shown);
  }
  if (edits.length === 0) return refuse('identical', `the patch leaves ${shown} as it is. Nothing to do.`);
  return { status: 'planned', edits, ...howMatched(placed), asked };
}

const added = ({ lines }: PatchHunk): string =>
  lines.flatMap(({ sign, text }) => (sign === '+' ? [text] : [])).join('\n');

function howMatched(placed: readonly PlacedHunk[]): Pick<HunksPlan, 'matchedVia' | 'detail' | 'kept'> {
  const loosest = laxest(placed.flatMap(({ plan }) => (plan ? [plan] : [])));
  return {
    matchedVia: loosest?.matchedVia ?? 'exact',
    ...(loosest?.detail !== undefined && { detail: loosest.detail }),
    kept: keptLines(placed),
  };
}

/** A plan's lines are those after itself alone: the hunks before it have moved them. */
function keptLines(placed: readonly PlacedHunk[]): readonly number[] {
  let grown = 0;
  const kept: number[] = [];
  for (const { plan, lineGrowth, firstLine } of placed) {
    if (plan) kept.push(...plan.kept.map((line) => line + firstLine + grown));
    grown += lineGrowth;
  }
  return kept;
}
