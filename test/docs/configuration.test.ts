import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { config } from '../../src/hosts/config/config.ts';
import { createBroker } from '../../src/hosts/create-broker.ts';
import { makeProject } from '../support/project.ts';
import { makeSettingsHome } from '../support/settings-home.ts';
import { settingsTable } from '../support/settings-table.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
const block = (language: string): string => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';

beforeEach(() => {
  makeSettingsHome();
});

test('the file of the page is in force as the page shows', async () => {
  const { root } = makeProject({ 'emend.config.json': block('jsonc'), 'secrets/key': 's' });
  let said = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  onTestFinished(() => write.mockRestore());
  await config({ root: [root] });
  const lines = said.replaceAll(root, 'DIR').split('\n');
  for (const line of block('text').trimEnd().split('\n')) expect(lines).toContain(line);
  const broker = await createBroker({ root, config: 'files' });
  onTestFinished(() => broker.close());
  expect((await broker.call('Read', { file_path: 'secrets/key' })).receipt.code).toBe('denied');
});

test('what an untrusted project may not set is named as the page shows', async () => {
  const { root } = makeProject({ 'emend.config.json': '{"allow":["/x"],"servers":{"mine":{}}}' });
  let said = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  onTestFinished(() => write.mockRestore());
  await config({ root: [root] });
  const [note = ''] = /^note: DIR.*$/m.exec(page) ?? [];
  expect(said.replaceAll(root, 'DIR').split('\n')).toContain(note);
});

test('the table has each setting as it is defined', () => {
  const rows = page.split('\n').filter((line) => /^\| `\w+` \|/.test(line));
  expect(rows).toEqual(settingsTable());
});
