import { expect, test } from 'vitest';
import { replace } from '../../../src/broker/replace.ts';

const file = (end: string): string =>
  `# Use\n\n\`\`\`\nconst { all } = await run();\nconsole.log(all);\n\`\`\`\n\nThen print it:\n\n\`\`\`\nconst { stdout } = await run();\n${end}`;
const sent = (end: string): string => file(end).slice('# Use\n\n'.length).replace('console', 'conole');

test('a block of several fences is not wrapped in its first and last one', () => {
  const result = replace(file('```\n'), sent('```'), sent('prepare();'));
  expect(result).toMatchObject({ status: 'applied', text: file('prepare();\n') });
});

test('a fence around both strings is not part of the edit', () => {
  const wrapped = (line: string): string => `\`\`\`js\n${line}\n\`\`\``;
  expect(replace('let a = 1;\nlet b = 2;\n', wrapped('let a = 1;'), wrapped('let a = 3;'))).toMatchObject({
    text: 'let a = 3;\nlet b = 2;\n',
  });
});

test('a fence of one kind around one of the other is not part of the edit', () => {
  const file = (word: string): string => `text\n~~~\n${word} one\n~~~\nmore\n`;
  const wrapped = (word: string): string => `\`\`\`\n~~~\n${word} one\n~~~\n\`\`\``;
  expect(replace(file('code'), wrapped('code'), wrapped('data'))).toMatchObject({ text: file('data') });
});

test('a fence that only new_string opens is no reason to write a mark', () => {
  const result = replace('let a = 1;\nlet b = 2;\n', '```\nlet a = 1;\n```', '```\nlet a = 3;');
  expect(result).not.toMatchObject({ text: expect.stringContaining('```') });
});

test.each([
  ['a long mark', `${'~'.repeat(20_000)}\n${'x\n'.repeat(10_000)}Z`],
  ['a mark without a line', `${'~'.repeat(256 * 1024)}Z`],
])('%s takes no time that grows with its square', (_what, oldString) => {
  expect(replace('text\n', oldString, 'x').status).toBe('refused');
});

test.each([
  ['another', '```js\nbar()\n```'],
  ['none', 'bar()'],
])('where the fence itself is to become %s it is not taken for a wrapping', (_what, newString) => {
  const text = '# Use\n\n```typescript\nfoo()\n```\n';
  expect(replace(text, '```ts\nfoo()\n```', newString).status).toBe('refused');
});
