import fc from 'fast-check';
import { expect } from 'vitest';
import { planEdit } from '../../src/broker/plan-edit.ts';
import { planWrite } from '../../src/broker/plan-write.ts';
import { applySpanEdits, invertSpanEdits } from '../../src/workspace/span.ts';

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

/** Checks all laws on one edit. */
export function checkLaws({
  text,
  ...request
}: {
  text: string;
  oldString: string;
  newString: string;
  replaceAll: boolean;
  path: string;
}): void {
  const plan = planEdit(text, request);
  if (plan.status === 'refused') {
    expect(plan.message.length).toBeLessThan(1_500);
    return;
  }
  const after = applySpanEdits(text, plan.edits);
  expect(applySpanEdits(after, invertSpanEdits(text, plan.edits)), 'apply, then undo').toBe(text);
  if (!request.replaceAll) expect(plan.places).toBe(1);
  expect(after.startsWith('\ufeff')).toBe(text.startsWith('\ufeff'));
  checkOutside(text, after, plan.hunks);
  checkSplits(text, plan.edits);
  if (plan.matchedVia === 'exact' && request.newString !== '') {
    const bare = (part: string): string => part.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
    expect(bare(after).includes(bare(request.newString)), 'new_string is there').toBe(true);
  }
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
  const edits = planWrite(text, newText);
  expect(applySpanEdits(text, edits)).toBe(newText);
  checkSplits(text, edits);
}
