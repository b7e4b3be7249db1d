import { expect, test } from 'vitest';
import type { FileBefore, PlannedFile } from '../../../src/broker/change-request.ts';
import { stageFiles } from '../../../src/broker/transaction/stage-files.ts';
import { createSnapshot, utf8Form } from '../../../src/workspace/document-snapshot.ts';
import type { DocumentStore } from '../../../src/workspace/document-store.ts';
import { countCalls } from '../../support/count-calls.ts';

const absent = (path: string): FileBefore => ({ path, shown: path.slice(1), found: undefined, isLink: false });
const present = (path: string): FileBefore => {
  const bytes = Buffer.from('one\n');
  const text = createSnapshot(path, 'one\n', utf8Form(), 1);
  return { ...absent(path), found: { content: { kind: 'file', bytes }, bytes, mode: 0o644, text } };
};
const made = (path: string): PlannedFile => {
  return { op: 'write', file: absent(path), edits: [{ start: 0, end: 0, newText: 'x\n' }], bytes: Buffer.from('x\n') };
};
const removed = (path: string): PlannedFile => ({ op: 'remove', file: present(path) });

/** Only what staging asks of a store. */
const STORE = { stat: async () => undefined, attributes: async () => 'kept' } as unknown as DocumentStore;

test('a file can not come below one that goes in the same change', async () => {
  const staged = await stageFiles(STORE, [removed('/a'), removed('/ab'), made('/a/b/c')], 'e1');
  expect(staged).toMatchObject({
    status: 'refused',
    code: 'conflict',
    message: expect.stringMatching(/^a\/b\/c needs a folder where a is a file/),
  });
  expect(await stageFiles(STORE, [removed('/ab'), made('/a/b/c')], 'e1')).toMatchObject({ status: 'staged' });
});

test('what belongs to a file is kept where it goes, not where it only has another name', async () => {
  const move: PlannedFile = {
    op: 'move',
    file: present('/m'),
    to: absent('/n'),
    edits: [],
    bytes: Buffer.from('one\n'),
  };
  const staged = await stageFiles(STORE, [removed('/gone'), move], 'e1');
  if (staged.status === 'refused') throw new Error(staged.message);
  expect(staged.steps.map(({ path, before }) => [path, before?.attributes])).toEqual([
    ['/n', undefined],
    ['/m', undefined],
    ['/gone', 'kept'],
  ]);
});

test('files that come and go are each looked at by themselves, not each beside all others', async () => {
  const plans = Array.from({ length: 60 }, (_, at) => [removed(`/old/${at}`), made(`/new/${at}`)]).flat();
  const stage = async (): Promise<void> => {
    expect(await stageFiles(STORE, plans, 'e1')).toMatchObject({ status: 'staged' });
  };
  expect(await countCalls(Array.prototype, 'slice', stage)).toBeLessThan(100);
  expect(await countCalls(String.prototype, 'startsWith', stage)).toBeLessThan(1_000);
});
