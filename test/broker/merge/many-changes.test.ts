import { expect, test } from 'vitest';
import { replace } from '../../../src/broker/replace.ts';

/** Lines as the file has them, with curly quotes and aligned, and as a model sends them. */
const inFile = (count: number, call: string): string =>
  Array.from({ length: count }, (_, line) => `    ${call}(“item ${line}”,    ${line * 7});\n`).join('');
const sent = (count: number, call: string): string =>
  Array.from({ length: count }, (_, line) => `${call}("item ${line}", ${line * 7});\n`).join('');

test.each([60, 70, 400])(
  'a word changed on each of %d lines leaves the rest of every line as the file has it',
  (count) => {
    expect(replace(inFile(count, 'first'), sent(count, 'first'), sent(count, 'second'))).toMatchObject({
      status: 'applied',
      text: inFile(count, 'second'),
    });
  },
);

test('lines put in above and dropped below changed ones do not hide which those are', () => {
  const [added, gone] = ['zzzz;\n'.repeat(20), 'qqqq;\n'.repeat(20)];
  const result = replace(
    inFile(100, 'first') + gone.replace(/^/gm, '    ').trimEnd(),
    sent(100, 'first') + gone.trimEnd(),
    added + sent(100, 'second').trimEnd(),
  );
  expect(result).toMatchObject({
    status: 'applied',
    text: added.replace(/^(?=z)/gm, '    ') + inFile(100, 'second').trimEnd(),
  });
});

/** Lines that are kept as often as others are replaced, one after the other. */
const mixed = (count: number, line: (at: number) => string, keep: string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n${keep}\n`).join('');

test('between 1,600 lines that are all replaced the kept ones stay as the file has them', () => {
  const text = mixed(1_600, (at) => `    old${at}();`, '    keep(“x”,    y);');
  const oldString = mixed(1_600, (at) => `old${at}();`, 'keep("x", y);');
  const newString = mixed(1_600, (at) => `new_thing(${at});`, 'keep("x", y);');
  expect(replace(text, oldString, newString)).toMatchObject({
    status: 'applied',
    text: mixed(1_600, (at) => `    new_thing(${at});`, '    keep(“x”,    y);'),
  });
});

const ofOneLine = (count: number, call: string, [open, close]: readonly [string, string]): string =>
  `${Array.from({ length: count }, (_, at) => `${call}(${open}${at}${close}, ${at});`).join(' ')}\n`;

test('between 1,600 words of one line that are all replaced the same', () => {
  const [typed, curly] = [
    ['"', '"'],
    ['“', '”'],
  ] as const;
  const text = ofOneLine(1_600, 'a', curly);
  expect(replace(text, ofOneLine(1_600, 'a', typed), ofOneLine(1_600, 'b', typed))).toMatchObject({
    status: 'applied',
    text: ofOneLine(1_600, 'b', curly),
  });
});

const items = Array.from({ length: 1_700 }, (_, at) => `item${at}`);

test.each([
  ['lines', '\n', (item: string) => `    ${item}  (“x”);`, (item: string) => `${item} ("x");`],
  ['words of one line', ' ', (item: string) => `${item}  “x”`, (item: string) => `${item} "x"`],
])(
  'where over 3,000 %s differ it is not guessed what is kept: refused, and the place told',
  (_what, end, real, yours) => {
    const text = `${items.map(real).join(end)}\n`;
    const result = replace(text, items.map(yours).join(end), items.map(yours).reverse().join(end));
    expect(result).toMatchObject({ status: 'refused', code: 'no_match' });
    const message = result.status === 'refused' ? result.message : '';
    expect(message).toContain('Nearest: L1');
    expect(message).toContain('make it in smaller edits');
  },
);
