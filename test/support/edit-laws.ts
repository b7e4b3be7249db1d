import fc from 'fast-check';
import { expect } from 'vitest';
import { lineEdits } from '../../src/broker/merge/line-edits.ts';
import { planEdit } from '../../src/broker/plan-edit.ts';
import type { ErrorCode } from '../../src/broker/refusal.ts';
import { createSession } from '../../src/broker/session.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { editTool } from '../../src/tools/edit.ts';
import { undoTool } from '../../src/tools/undo.ts';
import { applySpanEdits, invertSpanEdits, type SpanEdit } from '../../src/workspace/span.ts';
import type { ToolRoom } from './tool-room.ts';
import { treeOf } from './tree.ts';

/** What every edit holds to, whatever the strings are. */

const LINE = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'if (a) {',
      '}',
      'return a + 1;',
      'call(a, "b c");',
      "x = 'it';",
      '# note',
      '// why',
      'const n = 12;',
      '- item: 3',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      '  ',
      'é = “ü”…',
      '漢字：値',
      '\u00a0x',
      '🌱 = 1',
      '\\n\\t"',
      '&lt;b&gt;',
      'ha',
      '```',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);
const INDENT = fc.constantFrom('', '  ', '    ', '\t', '\t\t', '   ');
const END = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');

const TEXT = fc
  .tuple(fc.array(fc.tuple(INDENT, LINE, END), { minLength: 1, maxLength: 24 }), fc.boolean(), fc.boolean())
  .map(([lines, hasMark, hasEnd]) => {
    const text = lines.map(([indent, line, end]) => indent + line + end).join('');
    return (hasMark ? '\ufeff' : '') + (hasEnd ? text : text.replace(/[\r\n]+$/, ''));
  });

const DRIFT = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.replace(/\r\n?/g, '\n'),
  (text) => text.replace(/^[ \t]+/gm, ''),
  (text) => text.replace(/^(?=.)/gm, '  '),
  (text) => text.replace(/\t/g, '    '),
  (text) => text.replace(/$/gm, ' '),
  (text) => text.replace(/"([^"\n]*)"/g, '“$1”'),
  (text) => text.replace(/\n\n/g, '\n'),
  (text) => text.replace(/;$/gm, ''),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => text.replace(/return/g, 'retrun'),
  (text) => text.replace(/\d+/g, '7'),
);

/** A text, a part of it as a model might send it, and what is to stand there. */
export const EDIT = TEXT.chain((text) =>
  fc
    .tuple(fc.nat(text.length), fc.nat(160), fc.array(DRIFT, { maxLength: 3 }), LINE, fc.nat(5), fc.boolean())
    .map(([start, length, drifts, line, kind, replaceAll]) => {
      const drift = (part: string): string => drifts.reduce((all, each) => each(all), part);
      const part = text.slice(start, start + length);
      const lines = part.split('\n');
      const at = Math.floor(lines.length / 2);
      const now = [
        lines.toSpliced(at, 0, line),
        lines.toSpliced(at, 1),
        lines.toSpliced(at, 1, line),
        lines.map((each) => `  ${each}`),
        [part, line],
        [''],
      ][kind];
      return { text, oldString: drift(part), newString: drift((now ?? lines).join('\n')), replaceAll, path: 'a.ts' };
    }),
);

/** All that an edit of a text can be refused with. */
const CODES: readonly string[] = [
  'no_match',
  'ambiguous',
  'identical',
  'empty_old',
  'already_applied',
  'too_short',
  'too_wide',
  'elision',
] satisfies readonly ErrorCode[];

export interface EditCase {
  readonly text: string;
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
  readonly path: string;
}

/** Checks all laws on one edit. */
export function checkLaws({ text, ...request }: EditCase): void {
  const plan = planEdit(text, request);
  if (plan.status === 'refused') {
    expect(CODES, 'a refusal has its type').toContain(plan.code);
    expect(plan.message.length).toBeLessThan(1_500);
    expect(plan, 'a refusal has no edits').not.toHaveProperty('edits');
    return;
  }
  const after = applySpanEdits(text, plan.edits);
  expect(applySpanEdits(after, invertSpanEdits(text, plan.edits)), 'apply, then undo').toBe(text);
  if (!request.replaceAll) {
    expect(plan.places).toBe(1);
    checkOnePlace(text, plan, request);
  }
  expect(after.startsWith('\ufeff')).toBe(text.startsWith('\ufeff'));
  checkOutside(text, after, plan.hunks);
  checkSplits(text, plan.edits);
  if (plan.matchedVia === 'exact' && !request.replaceAll) checkExact(text, after, request);
}

/** All edits lie in the span of one place, which is no longer than what old_string can mean. */
function checkOnePlace(
  text: string,
  { edits, matchedVia }: { readonly edits: readonly SpanEdit[]; readonly matchedVia: string },
  { oldString }: { readonly oldString: string },
): void {
  const [first, last] = [edits[0], edits.at(-1)];
  if (!first || !last) return;
  const part = text.slice(first.start, last.end);
  if (matchedVia === 'exact') expect(part.trimStart().length, 'one place').toBeLessThanOrEqual(oldString.length + 2);
  else expect(linesIn(part), 'one place').toBeLessThan(Math.max(linesIn(oldString) + 3, 2 * linesIn(oldString)) + 40);
}

const linesIn = (text: string): number => text.split(/\r\n|\r|\n/).length;

/** The one place has new_string and all else is as it was: line ends aside, and what lines that are deleted whole have about their text. */
function checkExact(
  text: string,
  after: string,
  { oldString, newString }: { oldString: string; newString: string },
): void {
  const bare = (part: string): string => part.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const [before, old, now, result] = [text, oldString, newString, after].map(bare) as [string, string, string, string];
  const results: string[] = [];
  for (let at = before.indexOf(old); at >= 0 && results.length < 2_000; at = before.indexOf(old, at + 1)) {
    const [head, tail] = [before.slice(0, at), before.slice(at + old.length)];
    results.push(head + now + tail);
    if (now !== '') continue;
    const start = head.replace(/(?<=\n|^)[^\S\n]+$/, '');
    results.push(head + tail.replace(/^\n/, ''), start + tail.replace(/^\n/, ''), start.replace(/\n$/, '') + tail);
    results.push(start + tail);
  }
  expect(results.includes(result), 'new_string stands where old_string stood').toBe(true);
}

/** The same through the tool, on the disk: a refusal changes no file, and Undo gives the very bytes back. */
export async function checkOnDisk(room: ToolRoom, { text, path, ...request }: EditCase): Promise<'refused' | 'landed'> {
  const session = createSession(room.root, 'laws');
  const call = (name: string, args: unknown) => callTool([editTool, undoTool], { name, args }, { session });
  await room.write({ [path]: text });
  const before = treeOf(room.folder);
  const { oldString: old_string, newString: new_string, replaceAll: replace_all } = request;
  const edited = await call('Edit', { file_path: path, old_string, new_string, replace_all });
  const plan = planEdit(text, { ...request, path });
  if (!edited.ok) {
    expect(edited.text, 'a refusal is typed').toMatch(/^Error (\w+): /);
    expect(CODES).toContain(/^Error (\w+):/.exec(edited.text)?.[1]);
    expect(treeOf(room.folder), 'a refusal changes nothing').toEqual(before);
    return 'refused';
  }
  expect(plan.status).toBe('planned');
  const undone = await call('Undo', {});
  expect(undone.ok, undone.text).toBe(true);
  expect(treeOf(room.folder), 'edit, then undo').toEqual(before);
  return 'landed';
}

/** Lines outside the hunks are the same bytes in both texts. */
function checkOutside(
  text: string,
  after: string,
  hunks: readonly { old: readonly [number, number]; new: readonly [number, number] }[],
): void {
  const linesOf = (part: string): readonly string[] =>
    part.replace(/^\ufeff/, '').match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  const [before, now] = [linesOf(text), linesOf(after)];
  let [from, newFrom] = [0, 0];
  for (const { old, new: fresh } of [...hunks, { old: [before.length + 1, 0], new: [now.length + 1, 0] } as const]) {
    expect(now.slice(newFrom, fresh[0] - 1)).toEqual(before.slice(from, old[0] - 1));
    [from, newFrom] = [old[0] - 1 + old[1], fresh[0] - 1 + fresh[1]];
  }
}

/** No edit begins or ends between the halves of a pair, or between `\r` and `\n`. */
function checkSplits(text: string, edits: readonly { start: number; end: number }[]): void {
  for (const { start, end } of edits) {
    for (const offset of [start, end]) {
      const around = text.slice(Math.max(0, offset - 1), offset + 1);
      expect(
        offset > 0 && (around === '\r\n' || /^[\ud800-\udbff][\udc00-\udfff]$/.test(around)),
        `split at ${offset}`,
      ).toBe(false);
    }
  }
}

export const TWO_TEXTS = fc.tuple(TEXT, TEXT);

export function checkWrite([text, newText]: [string, string]): void {
  const edits = lineEdits(text, newText);
  expect(applySpanEdits(text, edits)).toBe(newText);
  checkSplits(text, edits);
}
