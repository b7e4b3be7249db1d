import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BrokerRoot } from '../../src/broker/broker-root.ts';
import { createSession } from '../../src/broker/session.ts';
import type { RootOptions } from '../../src/hosts/open-root.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { defaultTools, optionalTools } from '../../src/tools/tools.ts';
import { type DocumentStore, StoreError } from '../../src/workspace/document-store.ts';
import { createDocuments } from '../../src/workspace/documents.ts';
import { openToolRoom } from '../support/tool-room.ts';
import { textsOf } from '../support/tree.ts';

/** Reported failures of other tools about patches, several edits at once and undo, as scenarios of ours. */

const TOOLS = [...defaultTools, ...optionalTools];
const v4a = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

async function open(files: Readonly<Record<string, string>>, options?: (folder: string) => Partial<RootOptions>) {
  const room = await openToolRoom(files, options);
  onTestFinished(() => room.close());
  const caller = (root: BrokerRoot) => {
    const session = createSession(root, 'test');
    return (name: string, args: unknown) => callTool(TOOLS, { name, args }, { session });
  };
  /** As `call`, with `before` run just before the store's first write. */
  const meddled = (before: (path: string) => void) => {
    let isFirst = true;
    const store: DocumentStore = {
      ...room.root.store,
      async write(path, change, signal) {
        if (isFirst) before(path);
        isFirst = false;
        return room.root.store.write(path, change, signal);
      },
    };
    return caller({ ...room.root, store, documents: createDocuments(store) });
  };
  return {
    ...room,
    call: caller(room.root),
    meddled,
    read: (name: string) => readFileSync(join(room.folder, name), 'utf8'),
  };
}

describe('patches', () => {
  test('a hunk that begins at the first line of a file with a byte order mark', async () => {
    const { call, read } = await open({ 'b.js': '\ufefflet v = 1;\n' });
    const input = v4a('*** Update File: b.js', '@@', '-let v = 1;', '+let v = 2;');
    expect(await call('apply_patch', { input })).toMatchObject({ ok: true });
    expect(read('b.js')).toBe('\ufefflet v = 2;\n');
  });

  test('a line that someone appends between the plan and the write survives', async () => {
    const { meddled, folder, read } = await open({ f: 'one\ntwo\n' });
    const call = meddled(() => appendFileSync(join(folder, 'f'), 'user\n'));
    const result = await call('apply_patch', { input: v4a('*** Update File: f', '@@', ' one', '-two', '+2') });
    expect(result.ok).toBe(true);
    expect(read('f')).toBe('one\n2\nuser\n');
  });

  test('a file that appears between the plan and the write is not written over', async () => {
    const { meddled, folder, read } = await open({ a: 'one\n' });
    const call = meddled(() => writeFileSync(join(folder, 'n.txt'), 'mine\n'));
    const input = v4a('*** Update File: a', '@@', '-one', '+1', '*** Add File: n.txt', '+theirs');
    expect((await call('apply_patch', { input })).text).toMatch(/^Error exists: /);
    expect({ n: read('n.txt'), a: read('a') }).toEqual({ n: 'mine\n', a: 'one\n' });
  });

  test('a file that is changed over and over is refused as stale, and stays', async () => {
    const room = await open({ a: 'one\n', b: 'one\n' });
    let turn = 0;
    const store: DocumentStore = {
      ...room.root.store,
      async write(path, change, signal) {
        turn += 1;
        if (path.endsWith('b')) appendFileSync(path, `again ${turn}\n`);
        return room.root.store.write(path, change, signal);
      },
    };
    const session = createSession({ ...room.root, store, documents: createDocuments(store) }, 'test');
    const input = v4a('*** Update File: a', '@@', '-one', '+1', '*** Update File: b', '@@', '-one', '+1');
    const result = await callTool(TOOLS, { name: 'apply_patch', args: { input } }, { session });
    expect(result.text).toMatch(
      /^Error stale: No file was changed\. b is being changed by something else right now\. Read it/,
    );
    expect(room.read('a')).toBe('one\n');
    expect(room.read('b')).toMatch(/^one\nagain/);
  });

  test('a folder that refuses one of two files: none is changed', async () => {
    const room = await open({ 'a.txt': 'one\n', 'ro/b.txt': 'one\n' });
    const store: DocumentStore = {
      ...room.root.store,
      async write(path, change, signal) {
        if (path.includes('/ro/')) throw new StoreError('denied', `${path}: the directory is not writable`);
        return room.root.store.write(path, change, signal);
      },
    };
    const session = createSession({ ...room.root, store, documents: createDocuments(store) }, 'test');
    const before = textsOf(room.folder);
    const input = v4a('*** Update File: a.txt', '@@', '-one', '+1', '*** Update File: ro/b.txt', '@@', '-one', '+1');
    const result = await callTool(TOOLS, { name: 'apply_patch', args: { input } }, { session });
    expect(result).toMatchObject({ ok: false, receipt: { code: 'denied', files: [] } });
    expect(textsOf(room.folder)).toEqual(before);
  });

  test('a long hunk of which one line differs: the answer comes at once, and names the line', async () => {
    const lines = Array.from({ length: 500 }, (_, line) => `const value${line} = compute(${line * 7});`);
    const { call, read } = await open({ 'long.js': `${lines.join('\n')}\n` });
    const hunk = lines
      .slice(10, 490)
      .map((line, index) => ` ${index === 200 ? line.replace('compute', 'derive') : line}`);
    const input = v4a(
      '*** Update File: long.js',
      '@@',
      ...hunk,
      '-const value490 = compute(3430);',
      '+const value490 = 0;',
    );
    // The thread that plans what is long is there from the first such call on.
    await call('apply_patch', { input });
    const [cpu, memory] = [process.cpuUsage(), process.memoryUsage().rss];
    const result = await call('apply_patch', { input });
    const { user, system } = process.cpuUsage(cpu);
    expect(result.text).toMatch(/^Error no_match: /);
    expect(result.text).toMatch(/211 yours: .*derive/);
    expect(process.memoryUsage().rss - memory).toBeLessThan(50 * 1024 * 1024);
    // Time of this process alone, in microseconds: others may have the machine.
    expect(user + system).toBeLessThan(800_000);
    expect(read('long.js')).toBe(`${lines.join('\n')}\n`);
  });

  test('through a linked folder that is allowed, it is the file behind it that changes', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'emend-outside-')));
    const { call, folder } = await open({ a: 'x\n' }, () => ({ allow: [outside] }));
    writeFileSync(join(outside, 'f.txt'), 'one\n');
    symlinkSync(outside, join(folder, '.live'));
    const input = v4a('*** Update File: .live/f.txt', '@@', '-one', '+1', '*** Add File: .live/g.txt', '+g');
    expect(await call('apply_patch', { input })).toMatchObject({ ok: true });
    expect(textsOf(outside)).toEqual({ 'f.txt': '1\n', 'g.txt': 'g\n' });
  });

  test('a link is not taken for the file behind it when it is to go', async () => {
    const { call, folder } = await open({ 'real.txt': 'one\n' });
    symlinkSync('real.txt', join(folder, 'link.txt'));
    const result = await call('apply_patch', { input: v4a('*** Delete File: link.txt') });
    expect(result.text).toMatch(/^Error denied: .*link\.txt is a link to real\.txt\. Name the file itself/);
    expect(existsSync(join(folder, 'link.txt'))).toBe(true);
  });

  test('what diagnostics come to does not make a landed change look failed', async () => {
    const { root, folder, read } = await open({ 'a.txt': 'one\n' });
    const check = () => Promise.reject(new Error('the servers are gone'));
    const session = createSession(
      { ...root, diagnostics: { ...root.diagnostics, check, takeReflow: () => [] } },
      'test',
    );
    const args = { file_path: join(folder, 'a.txt'), old_string: 'one', new_string: '1' };
    const result = await callTool(TOOLS, { name: 'Edit', args }, { session });
    expect(result).toMatchObject({ ok: true, receipt: { diagnostics: { state: 'unavailable' } } });
    expect(read('a.txt')).toBe('1\n');
  });
});

test('several edits share the matcher of one: LF strings, a CRLF file, all occurrences', async () => {
  const { call, read } = await open({ 'probe.txt': 'red\r\nblue\r\n--\r\nred\r\nblue\r\n' });
  const edits = [{ old_string: 'red\nblue', new_string: 'RED\nBLUE', replace_all: true }];
  expect(await call('MultiEdit', { file_path: 'probe.txt', edits })).toMatchObject({ ok: true });
  expect(read('probe.txt')).toBe('RED\r\nBLUE\r\n--\r\nRED\r\nBLUE\r\n');
});

test('a short name that stands in other words too is replaced as asked, and the answer says in which', async () => {
  const { call, read } = await open({ 'a.txt': 'grid width id\nvoid (id)\n' });
  const edit = { file_path: 'a.txt', old_string: 'id', new_string: 'key', replace_all: true };
  expect((await call('Edit', edit)).text).toMatch(
    / matched_via: multi-occurrence \(5 places, 3 inside longer words: grid, width, void\)\n/,
  );
  expect(read('a.txt')).toBe('grkey wkeyth key\nvokey (key)\n');
});

describe('undo', () => {
  test('is never done by itself: the end of a session leaves edits and what a person added', async () => {
    const first = await openToolRoom({ 'a.txt': 'one\n' });
    const session = createSession(first.root, 'first');
    const args = { file_path: 'a.txt', old_string: 'one', new_string: '1' };
    await callTool(TOOLS, { name: 'Edit', args }, { session });
    appendFileSync(join(first.folder, 'a.txt'), 'a person was here\n');
    await first.root.close();
    const { openRoot } = await import('../../src/hosts/open-root.ts');
    const second = await openRoot({ root: first.folder, ...first.ports });
    expect(readFileSync(join(first.folder, 'a.txt'), 'utf8')).toBe('1\na person was here\n');
    await second.close();
    await first.close();
  });

  test('after a restart, of what a person has written over since, is refused', async () => {
    const first = await openToolRoom({ 'a.txt': 'one\n' });
    const session = createSession(first.root, 'first');
    const args = { file_path: 'a.txt', old_string: 'one', new_string: '1' };
    const { receipt } = await callTool(TOOLS, { name: 'Edit', args }, { session });
    await first.root.close();
    writeFileSync(join(first.folder, 'a.txt'), 'all new\n');
    const { openRoot } = await import('../../src/hosts/open-root.ts');
    const second = await openRoot({ root: first.folder, ...first.ports });
    const undo = { name: 'Undo', args: { id: receipt.id } };
    const result = await callTool(TOOLS, undo, { session: createSession(second, 'second') });
    expect(result.text).toMatch(/^Error stale: a\.txt was changed since e\d+/);
    expect(readFileSync(join(first.folder, 'a.txt'), 'utf8')).toBe('all new\n');
    await second.close();
    await first.close();
  });
});
