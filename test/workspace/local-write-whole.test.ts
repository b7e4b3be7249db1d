import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeWhole } from '../../src/workspace/local-write-whole.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'emend-whole-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.each(['durable', 'plain'] as const)(
  'a %s content takes the place of an older one, for this user alone',
  async (care) => {
    const file = join(newFolder(), 'made', 'here', 'content');
    await writeWhole(file, 'first', care);
    await writeWhole(file, Buffer.from([0, 255]), care);
    expect([...readFileSync(file)]).toEqual([0, 255]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(file, '..'))).toEqual(['content']);
  },
);

test('nothing is left of a content whose name cannot be had', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'name', 'inside'), { recursive: true });
  await expect(writeWhole(join(folder, 'name'), 'text', 'plain')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(folder)).toEqual(['name']);
});
