import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createBroker } from '../../src/hosts/create-broker.ts';
import { makeProject } from '../support/project.ts';

const repository = join(import.meta.dirname, '../..');
const page = readFileSync(join(repository, 'docs/adding-a-server.md'), 'utf8');
const block = (language: string): string => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';

afterEach(() => vi.unstubAllEnvs());

test('the server of the page serves, by the definition of the page, as the page says', async () => {
  const project = makeProject({
    'todo-server.mjs': block('js'),
    'notes.txt': 'first\n',
    'config/emend/servers.json': '',
  });
  project.write('config/emend/servers.json', block('json').replace('DIR', project.root));
  mkdirSync(project.path('node_modules'));
  for (const name of ['vscode-languageserver', 'vscode-languageserver-textdocument']) {
    symlinkSync(join(repository, 'node_modules', name), project.path(`node_modules/${name}`));
  }
  vi.stubEnv('XDG_CONFIG_HOME', project.path('config'));
  const broker = await createBroker({ root: project.root, diagnosticsBudgetMs: 30_000 });
  onTestFinished(() => broker.close());
  const [, line] = /answered with `(\+ .*?)`/.exec(page) ?? [];
  const broken = await broker.call('Write', { file_path: 'notes.txt', content: 'first\nTODO later\n' });
  expect(broken.text).toContain(line);
  const mended = await broker.call('Write', { file_path: 'notes.txt', content: 'first\ndone\n' });
  expect(mended.text).toMatch(/diagnostics: 0 introduced, 1 fixed/);
});
