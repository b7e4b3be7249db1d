import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../../src/broker/session.ts';
import { editedFiles } from '../../../src/tools/navigation/refactor/edited-files.ts';
import { uriOfPath } from '../../../src/workspace/uri.ts';
import { openToolRoom } from '../../support/tool-room.ts';

const insertion = (newText: string) => ({
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  newText,
});

async function edited(documentChanges: (folder: string) => readonly unknown[], texts: (folder: string) => object) {
  const room = await openToolRoom({ 'a.ts': 'a;\n' });
  onTestFinished(() => room.close());
  symlinkSync('a.ts', join(room.folder, 'b.ts'));
  const call = { session: createSession(room.root, 'test') };
  const known = new Map(Object.entries(texts(room.folder)));
  const edit = { documentChanges: documentChanges(room.folder) };
  const found = await editedFiles(call, edit, { encoding: 'utf-16', server: 'x 1.0', texts: known });
  return { found, folder: room.folder };
}

test('a new file comes also where it is empty, and one file under two names is one', async () => {
  const uri = (folder: string, name: string): string => uriOfPath(join(folder, name));
  const { found, folder } = await edited(
    (root) => [
      { kind: 'create', uri: uri(root, 'new.ts') },
      { textDocument: { uri: uri(root, 'a.ts') }, edits: [insertion('1;\n')] },
      { textDocument: { uri: uri(root, 'b.ts') }, edits: [insertion('2;\n')] },
    ],
    (root) => ({ [join(root, 'a.ts')]: 'a;\n' }),
  );
  expect(found).toMatchObject({
    status: 'edited',
    files: [
      { path: join(folder, 'a.ts'), edits: [{ newText: '1;\n' }, { newText: '2;\n' }] },
      { path: join(folder, 'new.ts'), text: undefined, edits: [{ newText: '' }] },
    ],
  });
});

test.each([
  ['has another text of', (root: string) => ({ [join(root, 'a.ts')]: 'other;\n' }), 'stale'],
  ['could not be given', () => ({}), 'unavailable'],
])('a file that the server %s is not changed by its places', async (_what, texts, code) => {
  const { found } = await edited(
    (root) => [{ textDocument: { uri: uriOfPath(join(root, 'a.ts')) }, edits: [insertion('1;\n')] }],
    texts,
  );
  expect(found).toMatchObject({ status: 'refused', code });
});
