import { expect, test } from 'vitest';
import { replace } from '../../../src/broker/replace.ts';

const RULE = '/* ======== */';
const text = [
  'const names: string[] = [];',
  '// Hidden ones are left out,',
  '// unless they were asked for by name.',
  'for (const [key, sub] of index) {',
  '  if (!sub.hidden) names.push(key);',
  '}',
  RULE,
  '/* Processing */',
  RULE,
  'next(names);',
  '',
].join('\n');

/** A comment line is missing. */
const sent = (lines: readonly string[]): string => lines.filter((line) => !line.includes('unless')).join('\n');

test('of two equal comments behind the code the one next to it is meant', () => {
  const old = text.split('\n').slice(0, 7);
  const result = replace(text, sent(old), sent([...old.slice(0, 6), 'prepare();']), { path: 'a.ts' });
  expect(result).toMatchObject({ status: 'applied', text: text.replace(RULE, 'prepare();') });
});

test('of two equal comments before the code the same', () => {
  const above = [RULE, '/* Names */', RULE];
  const whole = [...above, text].join('\n');
  const old = [RULE, ...text.split('\n').slice(0, 6)];
  const result = replace(whole, sent(old), sent(['prepare();', ...old.slice(1)]), { path: 'a.ts' });
  expect(result).toMatchObject({ status: 'applied', text: [RULE, '/* Names */', 'prepare();', text].join('\n') });
});
