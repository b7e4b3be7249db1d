import { describe, expect, test } from 'vitest';
import { landedLine, plannedLine } from '../../src/broker/outcome-words.ts';
import {
  bareInsertion,
  hunkOrder,
  inHunk,
  inPatch,
  notUnderHeader,
  overlappingHunks,
} from '../../src/broker/patch/patch-words.ts';
import type { FileReceipt } from '../../src/broker/receipt.ts';
import { refuse } from '../../src/broker/refusal.ts';
import { alreadyApplied, ambiguous, identical, inEdit, unsearched } from '../../src/broker/refusal-words.ts';

const file = (part: Partial<FileReceipt>): FileReceipt => ({
  path: 'src/a.ts',
  op: 'edit',
  added: 3,
  removed: 1,
  sha256: { before: 'a', after: 'b' },
  encoding: 'utf-8',
  eol: 'lf',
  hunks: [{ old: [41, 1], new: [41, 3], bytes: [0, 0] }],
  diff: '',
  ...part,
});

describe('one file of a change', () => {
  test.each([
    [file({}), 'Edited src/a.ts (+3 -1) L41-43 [e7]', 'Would edit src/a.ts (+3 -1) L41-43'],
    [file({ op: 'create', removed: 0 }), 'Created src/a.ts (3 lines) [e7]', 'Would create src/a.ts (3 lines)'],
    [file({ op: 'delete', added: 0 }), 'Deleted src/a.ts (1 line) [e7]', 'Would delete src/a.ts (1 line)'],
    [
      file({ op: 'move', from: 'src/b.ts' }),
      'Moved src/b.ts to src/a.ts (+3 -1) L41-43 [e7]',
      'Would move src/b.ts to src/a.ts (+3 -1) L41-43',
    ],
    [
      file({ op: 'move', from: 'src/b.ts', hunks: [] }),
      'Moved src/b.ts to src/a.ts [e7]',
      'Would move src/b.ts to src/a.ts',
    ],
  ])('reads like this: %#', (receipt, landed, planned) => {
    expect(landedLine(receipt, 'e7', undefined)).toBe(landed);
    expect(plannedLine(receipt)).toBe(planned);
  });
});

describe('a refusal names the part that it is about', () => {
  const noMatch = refuse(
    'no_match',
    'old_string is not in src/a.ts (208 lines). Nearest: L40-43, 3 of 4 lines equal; difference:\n41 yours: old_string\n41 file:  new_string',
  );
  test('an edit of several, as the contract has it', () => {
    expect(inEdit(noMatch, { at: 2, of: 4, shown: 'src/api/login.ts' }).message).toMatch(
      /^edit 3 of 4 \(src\/api\/login\.ts\)\. No file was changed\. Nearest: L40-43/,
    );
  });

  test('a hunk is spoken of as lines, and the lines of the file are quoted as they are', () => {
    expect(inHunk(noMatch, { at: 1, of: 2, shown: 'src/a.ts' }).message).toBe(
      "hunk 2 of 2 (src/a.ts): the hunk's lines are not in src/a.ts (208 lines). Nearest: L40-43, 3 of 4 lines equal; difference:\n41 yours: old_string\n41 file:  new_string",
    );
  });

  test.each([
    [alreadyApplied(1, 2), "src/a.ts: the hunk's kept and + lines are already at L1-2 and its - lines are gone."],
    [identical(), 'src/a.ts: the hunk changes nothing.'],
    [
      notUnderHeader('src/a.ts', { line: 3, header: 'f', headerLine: 9 }),
      "The hunk's lines are at L3 of src/a.ts, not",
    ],
    [bareInsertion('src/a.ts', 3, 9), 'The hunk adds lines at L3 with no line of the file around them, and src/a.ts'],
    [unsearched('src/a.ts', 9, undefined), "No exact place of the hunk's kept and - lines in src/a.ts (9 lines)."],
    [ambiguous('src/a.ts', [], { count: 100, isAtLeast: true }), "Over 99 places fit the hunk's lines in src/a.ts:"],
  ])('the only hunk of one file of several, by its file: %#', (refusal, words) => {
    const { message } = inPatch(inHunk(refusal, { at: 0, of: 1, shown: 'src/a.ts' }), 2);
    expect(message.startsWith(`No file was changed. ${words}`), message).toBe(true);
  });

  test('hunks of a file of several', () => {
    expect(inPatch(overlappingHunks('src/a.ts'), 2).message).toMatch(/^No file was changed\. Two hunks change/);
    const many = inHunk(hunkOrder('src/a.ts', 3), { at: 1, of: 2, shown: 'src/a.ts' });
    expect(inPatch(many, 2).message).toMatch(/^No file was changed\. Hunk 2 of 2 \(src\/a\.ts\): its lines are at L3/);
  });

  test('an edit of several that could not be compared in full', () => {
    expect(inEdit(unsearched('a.ts', 9, undefined), { at: 1, of: 2, shown: 'a.ts' }).message).toMatch(
      /^edit 2 of 2 \(a\.ts\)\. No file was changed\. No exact place of old_string in a\.ts \(9 lines\)\. Read a\.ts first\.\nIt is too large/,
    );
  });

  test('a file of several', () => {
    expect(inPatch(refuse('exists', 'b is there already.'), 2).message).toBe(
      'No file was changed. b is there already.',
    );
    expect(inPatch(refuse('exists', 'b is there already.'), 1).message).toBe('b is there already.');
  });
});
