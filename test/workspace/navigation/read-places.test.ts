import { expect, test } from 'vitest';
import { readCalls, readHover, readPlaces, readServerSymbols } from '../../../src/workspace/navigation/read-places.ts';
import { readWorkspaceEdit } from '../../../src/workspace/navigation/workspace-edit.ts';

const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } };
const uri = 'file:///a.ts';

test.each([
  ['null', null, []],
  ['a location', { uri, range }, [{ uri, range }]],
  ['locations', [{ uri, range }], [{ uri, range }]],
  ['links', [{ targetUri: uri, targetRange: range, targetSelectionRange: range }], [{ uri, range }]],
  ['a location without a range', [{ uri }], [{ uri, range: undefined }]],
  ['something else', ['x', 3, { a: 1 }], []],
])('places are read from %s', (_what, reply, places) => {
  expect(readPlaces(reply)).toEqual(places);
});

test('symbols are read from every shape, with a range or without', () => {
  const symbols = [
    { name: 'a', kind: 12, location: { uri, range }, containerName: 'A' },
    { name: 'b', kind: 5, location: { uri } },
    { name: 'c', kind: 6, uri, range, selectionRange: range },
    { name: 'd' },
  ];
  expect(readServerSymbols(symbols).map(({ name, range: at, containerName }) => [name, at, containerName])).toEqual([
    ['a', range, 'A'],
    ['b', undefined, undefined],
    ['c', range, undefined],
  ]);
  const call = { from: { name: 'c', kind: 6, uri, range, selectionRange: range }, fromRanges: [range] };
  expect(readCalls([call])[0]).toMatchObject({ symbol: { name: 'c' }, ranges: [range] });
});

test.each([
  [{ contents: 'text' }, 'text'],
  [{ contents: { kind: 'markdown', value: '```ts\nconst a: 1\n```\nmore' } }, 'const a: 1\nmore'],
  [{ contents: ['one', { language: 'ts', value: 'two' }] }, 'one\ntwo'],
  [null, ''],
])('hover %j reads %j', (reply, text) => {
  expect(readHover(reply)).toBe(text);
});

test('a workspace edit is read in both forms; what is more than text is said', () => {
  const edits = [{ range, newText: 'x' }];
  const documents = [{ uri, edits }];
  expect(readWorkspaceEdit({ changes: { [uri]: edits } })).toEqual({ status: 'read', documents, created: [] });
  const document = { textDocument: { uri, version: null }, edits };
  expect(readWorkspaceEdit({ documentChanges: [document], changes: {} })).toMatchObject({ documents });
  expect(readWorkspaceEdit({ documentChanges: [{ kind: 'create', uri }] })).toMatchObject({ created: [uri] });
  expect(readWorkspaceEdit({ documentChanges: [{ kind: 'delete', uri }] })).toMatchObject({ status: 'unsupported' });
  expect(readWorkspaceEdit({ changes: { [uri]: [{ newText: 'x' }] } })).toMatchObject({ status: 'unsupported' });
});

test('a name stands on one line', () => {
  const name = 'one\nnote: two\u2028three';
  const [symbol] = readServerSymbols([{ name, containerName: name, kind: 5, location: { uri, range } }]);
  const shown = 'one\\nnote: two\\u2028three';
  expect(symbol).toMatchObject({ name: shown, containerName: shown });
});
