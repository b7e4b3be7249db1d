import { expect, test } from 'vitest';
import { replace } from '../../../src/broker/replace.ts';

test('a comment that only begins as another does is no evidence of how deep a line stands', () => {
  const file = (body: string): string =>
    `\t\tif (name === "x")\n // an empty list keeps the check away,\n\t\t// as we need them to go through\n${body}\t\tif (name !== "y") return { error: 1 };\n\t\ttry {\n`;
  const sent = (body: string): string =>
    `    if (name === "x")\n    // as we need them to go through\n${body}    if (name !== "y") return { error: 1 };\n    try {`;
  const [old, now] = ['    return { result: [] };\n', '    prepare(state, 1)\n    counter += 1\n'];
  const inFile = (body: string): string => file(body.replaceAll('    ', '\t\t'));
  expect(replace(inFile(old), sent(old), sent(now), { path: 'a.js' })).toMatchObject({
    status: 'applied',
    text: inFile(now),
  });
});
