import { mkdtemp, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBroker } from '../../src/hosts/create-broker.ts';
import { concurrentEdits } from '../support/concurrent-edits.ts';
import { noRun } from '../support/no-run.ts';

test('edits of one file by 8 clients over 2 processes at once: none is lost', async () => {
  const { applied } = await concurrentEdits(6);
  expect(applied).toBeGreaterThanOrEqual(48);
});

test('edits at once by one caller, under two spellings of one file: all are in it', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'parallel-')));
  await writeFile(join(root, 'r.txt'), Array.from({ length: 100 }, (_, line) => `row ${line + 1};\n`).join(''));
  await symlink('r.txt', join(root, 's.txt'));
  const broker = await createBroker({ root, run: noRun });
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      broker.call('Edit', {
        file_path: ['r.txt', './r.txt', 's.txt', join(root, 'r.txt')][index % 4] ?? '',
        old_string: `row ${index * 5 + 1};`,
        new_string: `ROW ${index * 5 + 1};`,
      }),
    ),
  );
  expect(results.map(({ ok }) => ok)).toEqual(results.map(() => true));
  const expected = Array.from({ length: 100 }, (_, line) => `${line % 5 === 0 ? 'ROW' : 'row'} ${line + 1};\n`).join(
    '',
  );
  expect(await readFile(join(root, 'r.txt'), 'utf8')).toBe(expected);
  await broker.close();
});
