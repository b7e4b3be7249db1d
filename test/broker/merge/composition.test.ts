import { expect, test } from 'vitest';
import { replace } from '../../../src/broker/replace.ts';

const menu = (second: string): string => `menu:\n  café: 2\n  ${second}: 3\n`;
const code = (value: string): string => `함수 계산() {\n  값 = ${value};\n  돌려줌 값;\n}\n`;

test.each([
  ['accents', menu('thé'), menu('crème brûlée')],
  ['syllables of Hangul', code('하나'), code('열둘')],
])('new %s are composed or decomposed as those of the file', (_what, text, after) => {
  const [composed, decomposed] = ['NFC', 'NFD'] as const;
  for (const [file, sent] of [
    [composed, decomposed],
    [decomposed, composed],
  ] as const) {
    const result = replace(text.normalize(file), text.normalize(sent), after.normalize(sent));
    expect(result).toMatchObject({ status: 'applied', text: after.normalize(file) });
  }
});
