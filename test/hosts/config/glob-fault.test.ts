import { expect, test } from 'vitest';
import { globFault } from '../../../src/hosts/config/glob-fault.ts';
import { createDenyList } from '../../../src/workspace/deny-list.ts';

test.each(['secrets/**', '*.pem', '**/.env*', 'src/{a,b}/*.test.{ts,tsx}', '/abs/x', 'a b/[a-z]?', '*secret*'])(
  '%s is taken',
  (glob) => {
    expect(globFault(glob)).toBeUndefined();
  },
);

test.each([
  ['too long', 'a'.repeat(257), /257 characters/],
  ['many globstars', '**/a/**/b/**', /at most 2 parts \*\*/],
  ['many braces', '{a,a}{a,a}{a,a}{a,a}{a,a}', /at most 4 times \{a,b\}/],
  ['many stars in a part', '*a*a*b', /at most 2 \* between two \//],
  ['many stars', '*a*/*b*', /at most 3 \* beside \*\*/],
  ['a group of a regular expression', '(a+)+b', /Groups like/],
  ['a class with a +', '[a-z]+b', /Groups like/],
  ['an alternative', 'a|b', /Groups like/],
  ['an open class', '[', /is not closed/],
  ['an open choice', 'a{b,', /is not closed/],
  ['an empty part', 'src//', /empty part/],
  ['an empty part in the middle', 'src//l.txt', /empty part/],
  ['a part that is .', 'src/./l.txt', /empty part/],
  ['a part that is ..', '../x', /empty part/],
  ['a blank before it', ' src', /a blank/],
])('%s is not', (_what, glob, why) => {
  expect(globFault(glob)).toMatch(why);
});

test.each([
  ['stars', '*a*/*b', `/r/${`${'a'.repeat(255)}/`.repeat(15)}`],
  ['globstars', '**/a/**/b', `/r/${'a/'.repeat(400)}c`],
  ['both', '**/*a*/**/*b', `/r/${`${'a'.repeat(255)}/`.repeat(15)}`],
  ['braces', `${`{${'a,'.repeat(28)}a}`.repeat(4)}b`, `/r/${'a'.repeat(255)}`],
])('the worst of what is taken costs little: %s', (_what, glob, path) => {
  expect(globFault(glob)).toBeUndefined();
  const list = createDenyList([glob], ['/r']);
  const started = performance.now();
  expect(list.denies(path)).toBe(false);
  // Half a second alone; without the bounds it takes minutes.
  expect(performance.now() - started).toBeLessThan(10_000);
});
