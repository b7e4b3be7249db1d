import { expect, test, vi } from 'vitest';
import type { FilesBefore } from '../../src/broker/change-request.ts';
import { planHere } from '../../src/broker/edit-planner.ts';
import { planMultiEdit } from '../../src/broker/plan-multi-edit.ts';
import { createSession } from '../../src/broker/session.ts';
import { ledgerOf, rememberRead } from '../../src/broker/session-ledger.ts';
import { createSnapshot, utf8Form } from '../../src/workspace/document-snapshot.ts';
import { openToolRoom } from '../support/tool-room.ts';

test('what is known of a file is asked for once, however many edits it has, and moves with them', async () => {
  const room = await openToolRoom();
  const session = createSession(room.root, 'one');
  const bytes = Buffer.from(
    `one\n${Array.from({ length: 60 }, (_, at) => `line ${at};\n`).join('')}if (ready) {\n    start(now);\n}\n`,
  );
  const twins = Buffer.from(`top\n  if (ready) {\n      start(now);\n  }\n${bytes.toString()}`);
  const document = { bytes: twins, snapshot: createSnapshot('/f.js', twins.toString(), utf8Form(), 1) };
  const file = { path: '/f.js', shown: 'f.js', isLink: false };
  const found = {
    content: { kind: 'file' as const, bytes: twins },
    bytes: twins,
    mode: 0o644,
    text: document.snapshot,
  };
  const files: FilesBefore = { at: () => ({ ...file, found }) };
  rememberRead(session, document, [1, 10]);
  const asked = vi.spyOn(ledgerOf(session), 'knownLines');
  const edit = (oldString: string, newString: string) => ({ path: 'f.js', oldString, newString, replaceAll: false });
  const plan = await planMultiEdit({ session, planEdit: planHere }, files, [
    edit('top\n', 'top\nmore\n'),
    edit('line 1;\n', 'line 1!\n'),
    edit('if (ready) {\n    start(now);\n}\n', 'if (ready) {\n    start(later);\n}\n'),
  ]);
  expect(plan).toMatchObject({ status: 'refused', code: 'ambiguous' });
  expect('message' in plan && plan.message).toMatch(/L68 exactly, but you have not read it, and L4 \(/);
  expect(asked).toHaveBeenCalledTimes(1);
  await room.close();
});

test.each([
  ['x', 'y', 'not_found', 'f.js is not there. See what its folder has, or make it with an empty old_string.'],
  ['', '', 'identical', 'old_string and new_string are both empty. Send what is to stand in f.js as new_string.'],
])(
  'an edit of a file that is not there, from %j to %j, is refused with what to do',
  async (oldString, newString, code, message) => {
    const room = await openToolRoom();
    const planning = { session: createSession(room.root, 'one'), planEdit: planHere };
    const files: FilesBefore = { at: () => ({ path: '/f.js', shown: 'f.js', isLink: false, found: undefined }) };
    const edit = { path: 'f.js', oldString, newString, replaceAll: false };
    expect(await planMultiEdit(planning, files, [edit])).toMatchObject({ status: 'refused', code, message });
    await room.close();
  },
);
