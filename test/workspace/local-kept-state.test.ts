import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createLocalBlobs } from '../../src/workspace/local-blobs.ts';
import { createLocalChangeRecords } from '../../src/workspace/local-change-records.ts';
import { openKeptState } from '../../src/workspace/local-kept-state.ts';
import { createLocalRecordLog } from '../../src/workspace/local-record-log.ts';
import { deadProcess } from '../support/faulty-root.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'emend-kept-'));
});

const files = (under: string): readonly string[] =>
  readdirSync(under, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('contents by their hash', () => {
  test.each(['durable', 'plain'] as const)(
    'come back as they were kept, once each, for their owner alone: %s',
    async (care) => {
      const blobs = createLocalBlobs(folder);
      const bytes = Buffer.from([0, 255, 13, 10]);
      const hash = await blobs.put(bytes, care);
      expect(await blobs.put(bytes, care)).toBe(hash);
      expect(await blobs.get(hash)).toEqual(bytes);
      expect(files(folder)).toHaveLength(1);
      expect(files(folder).map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
    },
  );

  test('one that is taken away is kept anew, plainly after a while', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const blobs = createLocalBlobs(folder);
      for (const care of ['durable', 'plain'] as const) {
        const hash = await blobs.put(Buffer.from(care), care);
        for (const file of files(folder)) rmSync(file);
        vi.setSystemTime(Date.now() + (care === 'plain' ? 11_000 : 0));
        await blobs.put(Buffer.from(care), care);
        expect(await blobs.get(hash)).toEqual(Buffer.from(care));
      }
    } finally {
      vi.useRealTimers();
    }
  });

  test('one that was damaged, or is not there, or is no hash, is none', async () => {
    const blobs = createLocalBlobs(folder);
    const hash = await blobs.put(Buffer.from('whole'), 'plain');
    writeFileSync(files(folder)[0] ?? '', 'hole!');
    for (const name of [hash, 'a'.repeat(64), '../../etc/passwd', '']) expect(await blobs.get(name)).toBeUndefined();
  });

  test('when there is too much the oldest fall out, and one that is kept again is young', async () => {
    const content = (index: number): Buffer => Buffer.alloc(1024, `${index}.`);
    const earlier = createLocalBlobs(folder);
    const first = await earlier.put(content(0), 'plain');
    const second = await earlier.put(content(1), 'plain');
    const twoMinutesAgo = Date.now() / 1000 - 120;
    for (const file of files(folder)) utimesSync(file, twoMinutesAgo, twoMinutesAgo);
    const blobs = createLocalBlobs(folder, { maxBytes: 100 * 1024 });
    for (let index = 2; index < 200; index += 1) await blobs.put(content(index), 'plain');
    for (let index = 200; index < 260; index += 1) await blobs.put(content(index === 210 ? 0 : index), 'plain');
    expect(files(folder).length).toBeLessThanOrEqual(100 + 16);
    expect(await blobs.get(first)).toEqual(content(0));
    expect(await blobs.get(second)).toBeUndefined();
  });
});

test('what undoes a change does not fall out by what is read, and is among what the journal speaks of', async () => {
  const [seen, undo] = [join(folder, 'blobs'), join(folder, 'undo')];
  const read = createLocalBlobs(seen, { maxBytes: 100 * 1024 });
  const changed = createLocalBlobs(undo, { maxBytes: 100 * 1024, shownIn: seen });
  const before = await changed.put(Buffer.from('before\n'), 'durable');
  expect(await read.get(before)).toEqual(Buffer.from('before\n'));
  expect(files(folder).map((file) => statSync(file).nlink)).toEqual([2, 2]);
  utimesSync(files(undo)[0] ?? '', 1, 1);
  for (let index = 0; index < 256; index += 1) await read.put(Buffer.alloc(1024, `${index}.`), 'plain');
  expect(await read.get(before)).toBeUndefined();
  expect(await changed.get(before)).toEqual(Buffer.from('before\n'));
  const kept = openKeptState(folder);
  expect(await kept.undo.get(before)).toEqual(Buffer.from('before\n'));
  const old = await kept.blobs.put(Buffer.from('of an earlier version\n'), 'plain');
  expect(await kept.undo.get(old)).toEqual(Buffer.from('of an earlier version\n'));
});

describe('records of changes', () => {
  test('one that is done is found by its receipt, and by nothing else', async () => {
    const records = createLocalChangeRecords(folder);
    await records.keep('e7', 'seven');
    expect(await records.find('e7')).toBe('seven');
    for (const id of ['e8', '../e7', 'e7.json', '']) expect(await records.find(id)).toBeUndefined();
  });

  test('one that is begun is open until it is finished or dropped, and only when its process is dead is it left', async () => {
    const alive = createLocalChangeRecords(folder);
    await alive.begin('e1', 'one');
    expect(await alive.interrupted()).toEqual([]);
    const dead = createLocalChangeRecords(folder, deadProcess());
    await (await dead.begin('e2', 'two')).finish();
    await (await dead.begin('e3', 'three')).drop();
    await dead.begin('e4', 'four');
    const left = await alive.interrupted();
    expect(left.map(({ text }) => text)).toEqual(['four']);
    await left[0]?.finish();
    expect(await alive.interrupted()).toEqual([]);
    expect([await alive.find('e2'), await alive.find('e3'), await alive.find('e4')]).toEqual([
      'two',
      undefined,
      'four',
    ]);
  });
});

describe('a log', () => {
  test('has its lines in order, for its owner alone, and begins anew when it is full', async () => {
    const file = join(folder, 'deep', 'log');
    const log = createLocalRecordLog(file, 100);
    await Promise.all(Array.from({ length: 30 }, (_, index) => log.append(`line ${index} of thirty`)));
    const [now, before] = [readFileSync(file, 'utf8'), readFileSync(`${file}.1`, 'utf8')];
    expect(`${before}${now}`).toMatch(/line 28 of thirty\nline 29 of thirty\n$/);
    expect(before.length + now.length).toBeLessThan(260);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
