import { expect, test } from 'vitest';
import { globMatch } from '../../../src/workspace/search/glob-match.ts';
import { meantGlobs } from '../../../src/workspace/search/meant-globs.ts';

test.each([
  ['*a*a*a*a*a*a*b', /^has 7 stars in one name\. Give at most 4$/],
  [`src/${'*x'.repeat(60)}`, /^has 60 stars in one name\. Give at most 4$/],
  ['**/a/**/b/**/c/**/d/**/e', /^has more than 4 parts \*\*\. Leave some out/],
  ['x'.repeat(5000), /^has 5000 characters\. Give at most 4096, or several patterns$/],
  [`(${'a|'.repeat(100_000)}`, /^has 200001 characters\./],
])('%s could be tried in too many ways', (glob, message) => {
  expect(meantGlobs(glob)).toEqual({ status: 'wrong', message: expect.stringMatching(message) });
});

test.each([
  '**/*.ts',
  'src/**/test/**/*.{ts,tsx}',
  '*foo*bar*baz*',
  '**/**/**/**/**/**/x.ts',
  '**/*a*/*b*/*c*/*d*/*e*',
])('%s is tried on long names and paths in no time', (glob) => {
  expect(meantGlobs(glob).status).toBe('globs');
  const fits = globMatch([glob]);
  const start = performance.now();
  expect(fits(`${'foobarba'.repeat(31)}.t`)).toBe(false);
  expect(fits(`${'src/test/'.repeat(40)}x.t`)).toBe(false);
  expect(performance.now() - start).toBeLessThan(1000);
});
