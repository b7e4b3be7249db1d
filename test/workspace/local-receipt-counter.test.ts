import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReceiptCounter } from '../../src/workspace/local-receipt-counter.ts';
import { bundledProgram } from '../support/bundled-program.ts';

test('ids count up, also for calls at once and for whoever opens the folder later', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'receipts-'));
  const counter = openReceiptCounter(folder);
  expect(await Promise.all([counter.next(), counter.next(), counter.next()])).toEqual(['e1', 'e2', 'e3']);
  const later = openReceiptCounter(folder);
  expect(await later.next()).toBe('e4');
  expect(await counter.next()).toBe('e5');
  expect(await later.next()).toBe('e6');
  expect(await readdir(join(folder, 'receipts'))).toEqual(['e6']);
});

test('no id is given twice where the count was deleted, or is not alone in its folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'receipts-'));
  const counter = openReceiptCounter(folder);
  await counter.next();
  await counter.next();
  await rm(join(folder, 'receipts'), { recursive: true });
  expect(await openReceiptCounter(folder).next()).toBe('e1');
  expect(await counter.next()).toBe('e3');
  await writeFile(join(folder, 'receipts/.other'), '');
  expect(await counter.next()).toBe('e4');
  await rm(join(folder, 'receipts/e4'));
  expect(await counter.next()).toMatch(/^e\d{13,}$/);
});

test('what is left in the folder beside the count goes, and is never counted on from', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'receipts-'));
  await mkdir(join(folder, 'receipts'));
  for (const number of [3, 5, 9]) await symlink('receipt', join(folder, `receipts/e${number}`));
  expect(await openReceiptCounter(folder).next()).toBe('e10');
  expect(await readdir(join(folder, 'receipts'))).toEqual(['e10']);
});

test('where the state folder can take nothing ids are still given, each once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'receipts-'));
  await writeFile(join(folder, 'file'), '');
  const counter = openReceiptCounter(join(folder, 'file/state'));
  const ids = [await counter.next(), await counter.next(), await counter.next()];
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^e\d{13,}$/);
});

test('processes never give one id twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'receipts-'));
  const given: string[] = [];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = fork(bundledProgram('give-receipts.ts'), [folder, '100'], {
        execArgv: [],
      });
      child.on('message', (ids) => given.push(...(ids as string[])));
      expect((await once(child, 'exit'))[0]).toBe(0);
    }),
  );
  expect(given).toHaveLength(400);
  expect(new Set(given).size).toBe(400);
});
