import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { planUndo } from '../../../src/broker/transaction/plan-undo.ts';
import { createSnapshot, utf8Form } from '../../../src/workspace/document-snapshot.ts';

const numbered = (word: (line: number) => string): Uint8Array =>
  Buffer.from(Array.from({ length: 4_000 }, (_, line) => `${word(line)} ${line}\n`).join(''));
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('an undo that thousands of places stand against names eight of them', () => {
  const before = numbered(() => 'one');
  const after = numbered((line) => (line % 2 === 0 ? 'two' : 'one'));
  const now = numbered((line) => (line % 2 === 0 ? 'three' : 'one'));
  const text = createSnapshot('/f', Buffer.from(now).toString(), utf8Form(), 1);
  const found = { content: { kind: 'file' as const, bytes: now }, bytes: now, mode: 0o644, text };
  const [was, left] = [hashOf(before), hashOf(after)];
  const refused = planUndo(
    { at: () => ({ path: '/f', shown: 'f', isLink: false, found }) },
    {
      record: {
        version: 1,
        receipt: 'e1',
        files: [{ path: '/f', before: { sha256: was }, after: { sha256: left }, folders: [] }],
      },
      contents: new Map([
        [was, before],
        [left, after],
      ]),
      names: new Map(),
    },
  );
  expect(refused).toMatchObject({
    status: 'refused',
    code: 'stale',
    message:
      'f was changed since e1 at L1, L3, L5, L7, L9, L11, L13, L15 and 1992 more places: undoing it would take that back too. Read it, then Edit it.',
  });
});
