import { expect, onTestFinished, test } from 'vitest';
import type { FileState } from '../../src/diagnostics/diagnostics-board.ts';
import type { FileDiagnostic, Severity } from '../../src/diagnostics/report.ts';
import { applyPatchTool } from '../../src/tools/apply-patch.ts';
import { diagnosticsTool } from '../../src/tools/diagnostics.ts';
import { writeTool } from '../../src/tools/write.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';

test('of the files that were changed one that is gone is said to be, and the others are told', async () => {
  const { call, close } = await openToolRoom({ 'old.txt': 'old\n' });
  onTestFinished(close);
  await call(writeTool, { file_path: 'new.txt', content: 'new\n' });
  await call(applyPatchTool, { input: '*** Begin Patch\n*** Delete File: old.txt\n*** End Patch' });
  const { ok, text } = await call(diagnosticsTool, {});
  expect({ ok, text }).toEqual({ ok: true, text: 'new.txt: no language server for it here\nold.txt: gone' });
  const named = await call(diagnosticsTool, { file_path: 'old.txt' });
  expect(named.text).toMatch(/^Error not_found: old\.txt/);
});

test('of the files that were changed since a receipt only those are told that it or a later one changed', async () => {
  const { call, close } = await openToolRoom({});
  onTestFinished(close);
  const ids: string[] = [];
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'a.txt']) {
    const { receipt } = await call(writeTool, { file_path: name, content: `${ids.length}\n` });
    ids.push(receipt.id);
  }
  const told = async (since: string) => (await call(diagnosticsTool, { since })).text.match(/^\w+\.txt/gm);
  expect(await told(ids[0] ?? '')).toEqual(['a.txt', 'b.txt', 'c.txt']);
  expect(await told(ids[2] ?? '')).toEqual(['a.txt', 'c.txt']);
  expect(await told(ids[3] ?? '')).toEqual(['a.txt']);
  expect(await told('session')).toEqual(['a.txt', 'b.txt', 'c.txt']);
  const later = await call(diagnosticsTool, { since: 'e99999' });
  expect(later.text).toBe('No file was changed in this session since e99999. Name a file_path.');
  const { code } = (await call(diagnosticsTool, { since: 'yesterday' })).receipt;
  expect(code).toBe('invalid_arguments');
});

/** A root whose language servers say of each file what `state` has for it. */
async function room(state: Readonly<Record<string, Partial<FileState>>>): Promise<ToolRoom> {
  const opened = await openToolRoom(Object.fromEntries(Object.keys(state).map((name) => [name, 'text\n'])));
  onTestFinished(opened.close);
  opened.root.diagnostics.inspect = async ({ path }) => {
    const name = path.slice(opened.folder.length + 1);
    return { path: name, state: 'fresh', diagnostics: [], servers: [], ...state[name] };
  };
  opened.root.diagnostics.changedFiles = () => Object.keys(state).map((name) => `${opened.folder}/${name}`);
  return opened;
}

function findings(path: string, count: number, severity: Severity = 'error'): readonly FileDiagnostic[] {
  return Array.from({ length: count }, (_, line) => {
    const at = { line, character: 0 };
    return {
      path,
      range: { start: at, end: at },
      severity,
      message: `wrong ${line + 1}`,
      source: 'x',
    };
  });
}

test('a file that is named has its findings listed, up to 100', async () => {
  const { call } = await room({
    'a.txt': { diagnostics: findings('a.txt', 30) },
    'b.txt': { diagnostics: findings('b.txt', 130) },
  });
  const a = await call(diagnosticsTool, { file_path: 'a.txt' });
  expect(a.text.split('\n')).toHaveLength(31);
  expect(a.text).toMatch(/^a\.txt: 30 found\n {2}a\.txt:1:1 error wrong 1\n[\s\S]*\n {2}a\.txt:30:1 error wrong 30$/);
  expect(a.receipt.complete).toBe(true);
  const b = await call(diagnosticsTool, { file_path: 'b.txt' });
  expect(b.text).toMatch(/b\.txt:100:1 error wrong 100\n {2}… 30 more \(they come once these are mended\)$/);
  expect(b.receipt.complete).toBe(false);
});

test('of several files 100 findings are listed in all, and of the others is said how they are', async () => {
  const { call } = await room({
    'a.txt': { diagnostics: findings('a.txt', 60) },
    'b.txt': { diagnostics: findings('b.txt', 60) },
    'c.txt': { diagnostics: findings('c.txt', 7) },
  });
  const { text, receipt } = await call(diagnosticsTool, {});
  expect(text).toMatch(/\nb\.txt: 60 found\n/);
  expect(text).toMatch(
    /b\.txt:40:1 error wrong 40\n {2}… 20 more \(name the file to list them\)\nc\.txt: 7 found \(name the file to list them\)$/,
  );
  expect(receipt.complete).toBe(false);
});

test.each<[Severity | undefined, string]>([
  [undefined, 'a.txt: no errors (3 below error; severity: hint shows them)'],
  ['warning', 'a.txt: 2 found\n  a.txt:1:1 warning wrong 1\n  a.txt:2:1 warning wrong 2'],
])('what is below the severity that is asked for is not called clean: %s', async (severity, text) => {
  const all = [...findings('a.txt', 2, 'warning'), ...findings('a.txt', 1, 'hint')];
  const { call } = await room({ 'a.txt': { all }, 'b.txt': { all: all.slice(2) }, 'c.txt': { all: [] } });
  const of = async (file_path: string, least = severity) =>
    (await call(diagnosticsTool, { file_path, ...(least && { severity: least }) })).text;
  expect(await of('a.txt')).toBe(text);
  expect(await of('b.txt', 'information')).toBe(
    'b.txt: no errors, warnings or information (1 below information; severity: hint shows them)',
  );
  expect(await of('c.txt')).toBe('c.txt: clean');
});

test('what is not known yet is not complete', async () => {
  const { call } = await room({ 'a.txt': { state: 'pending' }, 'b.txt': {} });
  const { text, receipt } = await call(diagnosticsTool, {});
  expect(text).toBe('a.txt: pending (no answer yet)\nb.txt: clean');
  expect(receipt.complete).toBe(false);
});

test('a file without a text is said to have none', async () => {
  const { call, write } = await room({});
  await write({ 'logo.bin': new Uint8Array([0, 1, 2, 0, 255, 0]) });
  expect((await call(diagnosticsTool, { file_path: 'logo.bin' })).text).toBe('logo.bin: it has no text');
});

test('a name that only looks like the one of a file is said to be taken for it', async () => {
  const { call } = await room({ 'my note.txt': {} });
  const { text } = await call(diagnosticsTool, { file_path: 'my\u00a0note.txt' });
  expect(text).toBe(
    'note: this is "my note.txt"; its name has other characters that look the same\nmy note.txt: clean',
  );
});
