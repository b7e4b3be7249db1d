import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/**
 * The whole loop in VS Code, for real: `node test/desktop/vscode.mjs [FOLDER]` after `npm run build`. Installs
 * code-server and vsce with the Node 24 that they want into FOLDER (some minutes, once; kerberos in it is compiled:
 * libkrb5-dev), packs and installs the extension, and drives the editor in Debian's chromium: unsaved text, an agent's
 * edit, the editor's own diagnostics, one undo. Leaves screenshots in FOLDER, prints what it saw, ends with status 1
 * where something is not as it must be.
 */
const project = realpathSync(new URL('../..', import.meta.url).pathname);
const folder = process.argv[2] ?? join(tmpdir(), 'emend-vscode');
const cli = process.env.EMEND_CLI ?? join(project, 'dist/bin/cli.js');
mkdirSync(folder, { recursive: true });
const bin = join(folder, 'node_modules/.bin');
// VSCODE_CLI: it need not ask a login shell for its environment.
const env = {
  ...process.env,
  PATH: `${bin}:${process.env.PATH}`,
  XDG_STATE_HOME: join(folder, 'state'),
  VSCODE_CLI: '1',
};
const run = (command, args, cwd = folder) =>
  execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
if (!existsSync(join(bin, 'code-server'))) {
  run('npm', ['i', '--prefix', folder, 'node@24']);
  run('npm', ['i', '--prefix', folder, 'code-server@4.139.1', '@vscode/vsce@4.1.0']);
}
const node = join(bin, 'node');
const codeServer = join(folder, 'node_modules/code-server/out/node/entry.js');

run(process.execPath, [join(project, '.build/bundle-extension.mjs')], project);
const vsix = join(folder, 'emend.vsix');
const vsce = join(folder, 'node_modules/@vscode/vsce/vsce');
run(
  node,
  [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '-o', vsix],
  join(project, 'dist/vscode'),
);

const root = realpathSync(mkdtempSync(join(tmpdir(), 'emend-vscode-root-')));
const onDisk = 'export function double(n: number): number {\n  return n * 2;\n}\n';
writeFileSync(join(root, 'a.ts'), onDisk);
writeFileSync(join(root, 'tsconfig.json'), '{ "compilerOptions": { "strict": true } }\n');
const user = mkdtempSync(join(tmpdir(), 'emend-vscode-user-'));
mkdirSync(join(user, 'User'), { recursive: true });
const settings = {
  'emend.command': [process.execPath, cli, 'lsp'],
  'files.autoSave': 'off',
  'editor.autoClosingBrackets': 'never',
  'editor.quickSuggestions': { other: 'off' },
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
};
writeFileSync(join(user, 'User/settings.json'), JSON.stringify(settings));
const dirs = ['--user-data-dir', user, '--extensions-dir', join(user, 'extensions')];
run(node, [codeServer, ...dirs, '--install-extension', vsix]);

const port = 20_000 + (process.pid % 10_000);
const server = spawn(
  node,
  [codeServer, ...dirs, '--auth', 'none', '--disable-workspace-trust', '--bind-addr', `127.0.0.1:${port}`, root],
  { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] },
);
const failures = [];
const check = (what, isSo, found) => {
  process.stdout.write(`${isSo ? 'ok  ' : 'FAIL'} ${what}${isSo ? '' : `: ${JSON.stringify(found)}`}\n`);
  if (!isSo) failures.push(what);
};
const call = (tool, args, ...more) => {
  const args0 = [cli, 'call', tool, JSON.stringify(args), '--root', root, ...more];
  try {
    return execFileSync(process.execPath, args0, { env, encoding: 'utf8' });
  } catch (error) {
    return String(error.stdout);
  }
};
let browser;
try {
  await new Promise((resolve, reject) => {
    server.stdout.on('data', (chunk) => /listening on/.test(String(chunk)) && resolve());
    server.once('exit', () => reject(new Error('code-server ended')));
  });
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(120_000);
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(root)}`);
  await page.waitForSelector('.monaco-workbench');
  await page.getByRole('treeitem', { name: 'a.ts' }).dblclick();
  await page.waitForSelector('.monaco-editor .view-lines');
  const text = async () =>
    (await page.locator('.editor-instance .view-lines').first().textContent()).replaceAll('\u00a0', ' ');
  const until = async (condition, ms = 90_000) => {
    for (const end = Date.now() + ms; Date.now() < end; await page.waitForTimeout(250))
      if (await condition()) return true;
    return false;
  };
  const status = async () => (await page.locator('.statusbar-item', { hasText: 'emend' }).allInnerTexts()).join(' ');
  check('the status item is there', await until(async () => /emend: /.test(await status()), 180_000), await status());
  await page.locator('.editor-instance .view-lines').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('export const four = double(2);\n');
  check('an agent reads the unsaved text', await until(() => call('Read', { file_path: 'a.ts' }).includes('four')));
  await page.screenshot({ path: join(folder, '1-unsaved.png') });
  await page.waitForTimeout(15_000);

  const edit = { file_path: 'a.ts', old_string: 'double(2)', new_string: 'double("2")' };
  const answer = call('Edit', edit, '--wait-cold', '30000');
  process.stdout.write(`${answer}\n`);
  check('the edit lands', answer.startsWith('Edited a.ts'), answer);
  check('what VS Code itself says comes with it', /error TS2345/.test(answer), answer);
  check('of the files that depend on it nothing is claimed', /dependent files not checked/.test(answer), answer);
  check('it is in the buffer', await until(async () => (await text()).includes('double("2")'), 10_000), await text());
  check('the file on disk is as it was', readFileSync(join(root, 'a.ts'), 'utf8') === onDisk);
  check(
    'the status item names the edit',
    await until(async () => /emend: .*e\d+/.test(await status()), 5000),
    await status(),
  );
  await page.screenshot({ path: join(folder, '2-edited.png') });

  await page.locator('.editor-instance .view-lines').first().click();
  await page.keyboard.press('Control+z');
  const isBack = async () => (await text()).includes('double(2)') && (await text()).includes('four');
  check('one undo gives the unsaved text again', await until(isBack, 10_000), await text());
  check(
    'and an agent reads that',
    await until(() => call('Read', { file_path: 'a.ts' }).includes('double(2)'), 10_000),
  );
  check('the file on disk is as it was', readFileSync(join(root, 'a.ts'), 'utf8') === onDisk);
  await page.screenshot({ path: join(folder, '3-undone.png') });

  call('Edit', { file_path: 'a.ts', old_string: 'n * 2', new_string: 'n + n' });
  await page.keyboard.press('F1');
  await page.keyboard.type("emend: Show last edit's diff");
  await page.keyboard.press('Enter');
  check(
    "the last edit's diff shows",
    await until(
      async () =>
        /\+\s+return n \+ n/.test(
          await page
            .locator('.monaco-workbench')
            .textContent()
            .then((all) => all.replaceAll('\u00a0', ' ')),
        ),
      15_000,
    ),
  );
  await page.screenshot({ path: join(folder, '4-diff.png') });
  await page.keyboard.press('F1');
  await page.keyboard.type('emend: Undo last agent edit');
  await page.keyboard.press('Enter');
  check(
    '"Undo last agent edit" takes it back',
    await until(() => call('Read', { file_path: 'a.ts' }).includes('n * 2'), 15_000),
  );
  const notice = async () => (await page.locator('.notifications-toasts').allInnerTexts()).join(' ');
  check('a notice says so', await until(async () => /e\d+ is undone/.test(await notice()), 5000), await notice());
  await page.screenshot({ path: join(folder, '5-taken-back.png') });
} finally {
  await browser?.close();
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  if (server.exitCode === null) await ended;
  execFileSync(process.execPath, [cli, 'serve', '--stop', '--root', root], { env });
  for (const made of [root, user]) rmSync(made, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
}
process.exitCode = failures.length === 0 ? 0 : 1;
