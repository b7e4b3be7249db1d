import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSpill } from '../../../src/workspace/shell/disk-spill.ts';

const limits = { fileBytes: 100, folderBytes: 250, ageMs: 60_000 };

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'emend-spill-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('a file takes what is written, up to its cap, and then its ending', async () => {
  const spill = await openSpill(folder(), 'a.txt', limits);
  await spill?.write(Buffer.from('x'.repeat(90)));
  expect(spill?.limit).toBeUndefined();
  await spill?.write(Buffer.from('y'.repeat(90)));
  await spill?.write(Buffer.from('z'.repeat(90)));
  expect(spill).toMatchObject({ kept: 100, limit: 'the cap of a file' });
  await spill?.close(Buffer.from('END'));
  expect(readFileSync(spill?.path ?? '', 'utf8')).toBe(`${'x'.repeat(90)}${'y'.repeat(10)}END`);
});

test('only this user can read it', async () => {
  const spill = await openSpill(folder(), 'a.txt', limits);
  await spill?.close(Buffer.alloc(0));
  expect(readdirSync(join(spill?.path ?? '', '..'))).toEqual(['a.txt']);
});

test('the oldest files go when all are too much, and those that are too old', async () => {
  const path = folder();
  for (const [name, age] of [
    ['old', 3600],
    ['big1', 30],
    ['big2', 20],
    ['big3', 10],
  ] as const) {
    writeFileSync(join(path, name), 'x'.repeat(100));
    const time = Date.now() / 1000 - age;
    utimesSync(join(path, name), time, time);
  }
  const spill = await openSpill(path, 'new', limits);
  await spill?.close(Buffer.alloc(0));
  expect(readdirSync(path).sort()).toEqual(['big2', 'big3', 'new']);
});

test('where no file can be made there is none, and no failure', async () => {
  const path = folder();
  writeFileSync(join(path, 'file'), '');
  expect(await openSpill(join(path, 'file'), 'a.txt', limits)).toBeUndefined();
});
