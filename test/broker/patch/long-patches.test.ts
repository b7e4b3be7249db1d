import { expect, test } from 'vitest';
import { literalEdits } from '../../../src/broker/patch/literal-edits.ts';
import { parseV4a } from '../../../src/broker/patch/parse-v4a.ts';
import type { HunkLine, PatchHunk } from '../../../src/broker/patch/patch.ts';
import { textLines } from '../../../src/broker/patch/text-lines.ts';
import { countCalls } from '../../support/count-calls.ts';

/** How often lines of a hunk are read that changes every second one of so many lines. */
function readsOf(count: number): number {
  let reads = 0;
  const lines = Array.from({ length: count }, (_, at): readonly HunkLine[] => [
    { sign: ' ', text: `kept ${at}` },
    { sign: '-', text: `old ${at}` },
    { sign: '+', text: `new ${at}` },
  ]).flat();
  const counted = new Proxy(lines, {
    get: (target, key) => {
      reads += 1;
      return Reflect.get(target, key);
    },
  });
  const hunk: PatchHunk = { line: 1, headers: [], isAtEnd: false, lines: counted };
  const text = lines.flatMap(({ sign, text }) => (sign === '+' ? [] : [`${text}\n`])).join('');
  expect(literalEdits(textLines(text), hunk, 0)).toHaveLength(count);
  return reads;
}

test('a hunk of twice the lines has its lines read twice as often', () => {
  expect(readsOf(400) / readsOf(200)).toBeLessThan(2.5);
});

const added = (body: string): string => `*** Begin Patch\n*** Add File: a\n${body}\n*** End Patch`;

test.each([
  ['alone', '+a\n\n'],
  ['in a row', '\n\n'],
])('the lines of a patch are read once where empty ones without a sign stand %s', async (_how, part) => {
  const text = added(`+first\n${part.repeat(1_000)}+last`);
  let content = '';
  const run = (): void => {
    const parsed = parseV4a(text);
    const [file] = parsed.status === 'parsed' ? parsed.files : [];
    content = file?.op === 'add' ? file.content : '';
  };
  expect(await countCalls(Array.prototype, 'slice', run)).toBeLessThan(20);
  expect(content).toBe(`first\n${part.repeat(1_000).replaceAll('+', '')}last\n`);
  expect(await countCalls(String.prototype, 'trim', run)).toBeLessThan(10_000);
});

test('an empty line without a sign ends a new file where no + line follows', () => {
  const parsed = parseV4a(added('+a\n\n+b\n\n\n*** Delete File: b'));
  expect(parsed).toMatchObject({
    files: [
      { op: 'add', content: 'a\n\nb\n' },
      { op: 'delete', path: 'b' },
    ],
  });
});
