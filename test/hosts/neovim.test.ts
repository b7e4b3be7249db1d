import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emendFor } from '../support/emend.ts';
import { startNeovim } from '../support/neovim.ts';
import { isRunning, processes, until } from '../support/processes.ts';
import { makeProject } from '../support/project.ts';

const PYRIGHT = join(import.meta.dirname, '../../node_modules/pyright/langserver.index.js');

function call(project: { root: string }, emend: ReturnType<typeof emendFor>) {
  return async (tool: string, args: object, more: readonly string[] = []) => {
    const { stdout, stderr } = await emend.run(['call', tool, JSON.stringify(args), '--root', project.root, ...more]);
    return stdout === '' ? stderr : stdout;
  };
}

/** Neovim's own server for Python. */
function withPyright(root: string): string {
  return `vim.api.nvim_create_autocmd('FileType', { pattern = 'python', callback = function(event)
    P = P or vim.lsp.start_client({ name = 'pyright', root_dir = '${root}',
      cmd = { '${process.execPath}', '${PYRIGHT}', '--stdio' } })
    vim.lsp.buf_attach_client(event.buf, P) end })`;
}

test('the whole loop: unsaved text, an agent’s edit in the buffer, the editor’s own diagnostics, one undo', async () => {
  const project = makeProject({
    'a.py': 'def double(n: int) -> int:\r\n    return n * 2\r\n',
    'pyrightconfig.json': '{}',
  });
  const emend = emendFor(project.root);
  const onDisk = project.read('a.py');
  const neovim = await startNeovim(project, emend, { lua: withPyright(project.root) });
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

test('what Neovim’s own server has not said of the new text is pending, never clean; files that depend on it are unchecked', async () => {
  const project = makeProject({
    'a.py': 'def double(n: int) -> int:\n    return n * 2\nfirst: int = "1"\nsecond: int = "2"\n',
    'b.py': 'from a import double\ncount: int = double(3)\n',
    'pyrightconfig.json': '{}',
  });
  const emend = emendFor(project.root);
  const run = call(project, emend);
  const neovim = await startNeovim(project, emend, { lua: withPyright(project.root) });
  await neovim.keys(':filetype on<CR>:edit a.py<CR>');
  await neovim.until("luaeval('#vim.diagnostic.get(0)')", '2', 120_000);
  await neovim.until("luaeval('E.activity() ~= nil')", 'true');
  expect(await run('Diagnostics', { file_path: 'a.py' })).toMatch(/^a\.py: 2 found/);

  // Its server stands still: what it said before is of the text before.
  const children = (await neovim.expr("join(nvim_get_proc_children(getpid()), ' ')")).split(' ').map(Number);
  const own = processes().filter(({ pid, command }) => children.includes(pid) && command.includes(PYRIGHT));
  expect(own).toHaveLength(1);
  for (const { pid } of own) process.kill(pid, 'SIGSTOP');
  try {
    const mended = { file_path: 'a.py', old_string: 'first: int = "1"', new_string: 'first: int = 1' };
    const edited = await run('Edit', mended);
    expect(edited).toContain('Edited a.py');
    expect(edited).toMatch(/diagnostics: pending \(Neovim is still looking at the new text/);
    await neovim.until("getbufline('a.py', 3)[0]", 'first: int = 1');
    expect(await run('Diagnostics', { file_path: 'a.py', wait_ms: 1500 })).toMatch(/^a\.py: pending/);
  } finally {
    for (const { pid } of own) process.kill(pid, 'SIGCONT');
  }
  expect(await run('Diagnostics', { file_path: 'a.py', wait_ms: 60_000 })).toMatch(
    /^a\.py: 1 found\n.*a\.py:4:\d+ error/,
  );

  const broken = {
    file_path: 'a.py',
    old_string: 'def double(n: int) -> int:',
    new_string: 'def double(n: str) -> str:',
  };
  const answer = await run('Edit', broken, ['--wait-cold', '60000']);
  expect(answer).toMatch(/diagnostics: .*; dependent files not checked yet$/m);
  const closed = await run('Edit', { file_path: 'b.py', old_string: 'double(3)', new_string: 'double(4)' });
  expect(closed).toMatch(/diagnostics: unavailable \(Neovim: the file is not open there/);
}, 300_000);

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

  // The pipe between them: the editor starts another, and what is open is known again.
  const pipe = Number(await first.expr('nvim_get_proc_children(getpid())[0]'));
  process.kill(pipe, 'SIGKILL');
  expect(await until(() => !isRunning(pipe), 5000)).toBe(true);
  const end = performance.now() + 20_000;
  let seen = '';
  while (!seen.includes('2→TYPED') && performance.now() < end) seen = await run('Read', { file_path: 'a.txt' });
  expect(seen).toContain('1→one\n2→TYPED');
  expect(await run('Edit', { file_path: 'a.txt', old_string: 'TYPED', new_string: 'TYPED on' })).toContain('Edited');
  await first.until("join(getbufline('a.txt', 1, '$'), '|')", 'one|TYPED on');
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
