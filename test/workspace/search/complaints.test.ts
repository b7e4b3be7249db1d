import { expect, test } from 'vitest';
import { readComplaints } from '../../../src/workspace/search/complaints.ts';

test.each([
  ['a folder', 'rg: ./d: IO error for operation on ./d: No such file or directory (os error 2)'],
  ['a file', 'rg: ./d/a.txt: No such file or directory (os error 2)'],
  ['a folder that is a file now', 'rg: ./d/a.txt: Not a directory (os error 20)'],
])('what is gone when it is its turn is no failure: %s', (_what, line) => {
  expect(readComplaints(`${line}\n`)).toMatchObject({ vanished: 1, unreadableCount: 0, other: undefined });
});

test('a pattern that took too long on one file is told of that file, and is no wrong pattern', () => {
  const complaints = readComplaints('rg: ./pc.txt: PCRE2: error matching: match limit exceeded\n');
  expect(complaints).toMatchObject({
    pattern: undefined,
    other: 'pc.txt: PCRE2: error matching: match limit exceeded',
  });
});

test('a folder that is searched and can not be listed has a name', () => {
  const complaints = readComplaints('rg: ./: IO error for operation on ./: Permission denied (os error 13)\n');
  expect(complaints).toMatchObject({ unreadable: ['./'], unreadableCount: 1 });
});
