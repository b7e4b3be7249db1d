import { expect, test } from 'vitest';
import { replace } from '../../../src/broker/replace.ts';

const file = (mark: string): string =>
  [
    'function set(node, value) {',
    '  if (node.isOpen) {',
    `    ${mark}`,
    '    node.setValue(decoded);',
    '  }',
    '  return;',
    '  // What is left of it is released here.',
    '  registry.delete(node.key);',
    '}',
    '',
  ].join('\n');

/** Shifted, with a blank line more, and blanks at the end of the mark's line. */
const drifted = (mark: string, call: string): string =>
  [
    `        ${mark}  `,
    `        ${call}`,
    '      }',
    '      return;',
    '',
    '      // What is left of it is released here.',
  ].join('\n');

test.each([';', ',', '\\', ';;'])('an old_string that begins with a line of %s alone begins at that line', (mark) => {
  const text = file(mark);
  const result = replace(text, drifted(mark, 'node.setValue(decoded);'), drifted(mark, 'next.setValue(decoded);'));
  if (result.status === 'refused') throw new Error(result.message);
  expect(result.text).toBe(text.replace('node.setValue', 'next.setValue'));
});

test('marks of an earlier line are not taken where old_string does not begin with any', () => {
  const text = file(';');
  const result = replace(text, '    node.setValue( decoded );', '    next.setValue( decoded );');
  if (result.status === 'refused') throw new Error(result.message);
  expect(result.text).toBe(text.replace('node.setValue', 'next.setValue'));
});
