import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emendFor } from '../support/emend.ts';
import { startNeovim } from '../support/neovim.ts';
import { isRunning, processes, until } from '../support/processes.ts';
import { makeProject } from '../support/project.ts';

const PYRIGHT = join(import.meta.dirname, '../../node_modules/pyright/langserver.index.js');

function call(project: { root: string }, emend: ReturnType<typeof emendFor>) {
  return async (tool: string, args: object, more: readonly string[] = []) =>
    (await emend.run(['call', tool, JSON.stringify(args), '--root', project.root, ...more])).stdout;
}

test('the whole loop: unsaved text, an agent’s edit in the buffer, the editor’s own diagnostics, one undo', async () => {
  const project = makeProject({
    'a.py': 'def double(n: int) -> int:\r\n    return n * 2\r\n',
    'pyrightconfig.json': '{}',
  });
  const emend = emendFor(project.root);
  const onDisk = project.read('a.py');
  const neovim = await startNeovim(project, emend, {
    lua: `vim.api.nvim_create_autocmd('FileType', { pattern = 'python', callback = function(event)
      P = P or vim.lsp.start_client({ name = 'pyright', root_dir = '${project.root}',
        cmd = { '${process.execPath}', '${PYRIGHT}', '--stdio' } })
      vim.lsp.buf_attach_client(event.buf, P) end })`,
  });
  const run = call(project, emend);
  await neovim.keys(':filetype on<CR>:edit a.py<CR>');
  await neovim.keys('Gocount: int = double(3)<Esc>');
  await neovim.until("join(getbufline('a.py', 3, '$'), '|')", 'count: int = double(3)');
  const unsaved = await neovim.lines('a.py');
  // Pyright has spoken of the text once it is clean of what was typed in between.
  await neovim.until("luaeval('#vim.diagnostic.get(0)')", '0');
  expect(await run('Read', { file_path: 'a.py' })).toContain('3→count: int = double(3)');
  await neovim.until("luaeval('E.activity() ~= nil')", 'true');

  const edit = {
    file_path: 'a.py',
    old_string: 'count: int = double(3)',
    new_string: 'count: int = double("3")\nmore: int = 1',
  };
  const edited = await run('Edit', edit, ['--wait-cold', '60000']);
  expect(edited).toContain('Edited a.py (+2 -1) L3-4');
  // Whether it was clean before is known only where the editor was told so.
  expect(edited).toMatch(/diagnostics: 1 (?:introduced|error)[\s\S]*a\.py:3:21 error reportArgumentType/);
  expect(edited).not.toContain('unavailable');
  await neovim.until("join(getbufline('a.py', 3, '$'), '|')", 'count: int = double("3")|more: int = 1');
  expect(project.read('a.py')).toBe(onDisk);

  await neovim.keys('u');
  await neovim.until("join(getbufline('a.py', 3, '$'), '|')", 'count: int = double(3)');
  expect(await neovim.lines('a.py')).toBe(unsaved);
  expect(project.read('a.py')).toBe(onDisk);
  await neovim.keys(':write<CR>');
  expect(await until(() => project.read('a.py') !== onDisk, 5000)).toBe(true);
  expect(project.read('a.py')).toBe(`${onDisk}count: int = double(3)\r\n`);
}, 240_000);

test('a person who types on in insert mode keeps every key, and takes the edit back by one undo', async () => {
  const project = makeProject({ 'a.txt': 'one\ntwo\n' });
  const emend = emendFor(project.root);
  const run = call(project, emend);
  const neovim = await startNeovim(project, emend);
  await neovim.keys(':edit a.txt<CR>');
  await neovim.keys('Gothree');
  await neovim.until("getbufline('a.txt', 3)[0]", 'three');
  expect(await run('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'ONE\nand a half' })).toContain(
    'Edited',
  );
  await neovim.keys(' and four<Esc>');
  await neovim.until("join(getbufline('a.txt', 1, '$'), '|')", 'ONE|and a half|two|three and four');
  expect(await run('Read', { file_path: 'a.txt' })).toContain('4→three and four');
  await neovim.keys(':lua E.undo()<CR>');
  await neovim.until("join(getbufline('a.txt', 1, '$'), '|')", 'one|two|three and four');
  expect(project.read('a.txt')).toBe('one\ntwo\n');
}, 240_000);

test('killed with -9, each in turn: the editor, emend’s processes, the editor again; nothing stays behind', async () => {
  const project = makeProject({ 'a.txt': 'one\n' });
  const emend = emendFor(project.root);
  const run = call(project, emend);
  const open = async () => {
    const neovim = await startNeovim(project, emend);
    await neovim.keys(':edit a.txt<CR>');
    await neovim.keys('Gotyped<Esc>');
    await neovim.until("getbufline('a.txt', 2)[0]", 'typed');
    await neovim.until("luaeval('E.activity() ~= nil')", 'true');
    return neovim;
  };
  const first = await open();
  expect(await run('Read', { file_path: 'a.txt' })).toBe('1→one\n2→typed');

  // The broker: another takes its place, and has the buffer before its first call.
  const broker = (await emend.resident(project.root)) ?? 0;
  process.kill(broker, 'SIGKILL');
  expect(await until(() => !isRunning(broker), 5000)).toBe(true);
  expect(await run('Edit', { file_path: 'a.txt', old_string: 'typed', new_string: 'TYPED' })).toContain('Edited');
  await first.until("join(getbufline('a.txt', 1, '$'), '|')", 'one|TYPED');
  expect(project.read('a.txt')).toBe('one\n');

  // The editor: its unsaved text is gone, and that is said.
  first.kill();
  expect(await until(() => !isRunning(first.pid), 5000)).toBe(true);
  let said = '';
  while (!said.includes('1→one') || said.includes('2→TYPED')) said = await run('Read', { file_path: 'a.txt' });
  expect(said).toContain('note: a.txt was closed in the editor and its unsaved text is gone');
  expect(await run('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'ONE' })).toContain('Edited');
  expect(project.read('a.txt')).toBe('ONE\n');

  // The editor again.
  const second = await open();
  expect(await run('Edit', { file_path: 'a.txt', old_string: 'typed', new_string: 'again' })).toContain('Edited');
  await second.until("join(getbufline('a.txt', 1, '$'), '|')", 'ONE|again');
  expect(project.read('a.txt')).toBe('ONE\n');
  second.kill();
  await emend.run(['serve', '--stop', '--root', project.root]);
  const left = (): readonly string[] =>
    processes()
      .filter(({ command }) => command.includes(project.root) || command.includes(emend.stateFolder))
      .map(({ command }) => command);
  expect(await until(() => left().length === 0, 10_000), left().join('\n')).toBe(true);
}, 300_000);
