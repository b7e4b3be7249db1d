import { describe, expect, test } from 'vitest';
import { uriOfPath } from '../../src/workspace/uri.ts';
import { startAgent, startRoot, useStateFolder } from '../support/desktop.ts';
import { type EditorOptions, startEditor } from '../support/editor.ts';
import { until } from '../support/processes.ts';
import { makeProject } from '../support/project.ts';

const TOOLS = ['Read', 'Edit', 'MultiEdit', 'Write', 'Glob', 'Grep', 'Bash', 'apply_patch', 'Undo', 'Diagnostics'];

async function desktop(files: Record<string, string>, options: Partial<EditorOptions> = {}) {
  useStateFolder();
  const project = makeProject(files);
  const resident = await startRoot(project.root);
  const editor = await startEditor({ root: project.root, ...options });
  const agent = await startAgent(project.root, TOOLS);
  const call = async (name: string, args: object) => (await agent.call(name, args)).text;
  const seen = async (name: string, part: string) => {
    while (!(await call('Read', { file_path: name })).includes(part)) await new Promise(setImmediate);
  };
  return { project, resident, editor, agent, call, seen };
}

describe('what an editor has open is what tools see', () => {
  test('Read, Grep and Glob show unsaved text, and the disk again when it is closed', async () => {
    const { project, editor, call, seen } = await desktop({ 'a.txt': 'saved\n' });
    await editor.open(project.path('a.txt'), 'saved\n');
    editor.type(project.path('a.txt'), { start: 0, end: 5, newText: 'unsaved' });
    await editor.open(project.path('never-saved.txt'), 'unsaved too\n');
    await seen('never-saved.txt', 'too');
    expect(await call('Read', { file_path: 'a.txt' })).toBe('1→unsaved');
    expect(await call('Grep', { pattern: 'unsaved', output_mode: 'content' })).toContain('never-saved.txt');
    expect(await call('Glob', { pattern: '**/*.txt' })).toContain('never-saved.txt');
    await editor.close(project.path('a.txt'));
    await seen('a.txt', '1→saved');
  });

  test.each<[string, string, object]>([
    ['Edit', 'Edit', { file_path: 'a.txt', old_string: 'typed', new_string: 'TYPED' }],
    ['MultiEdit', 'MultiEdit', { file_path: 'a.txt', edits: [{ old_string: 'typed', new_string: 'TYPED' }] }],
    ['Write', 'Write', { file_path: 'a.txt', content: 'one\nTYPED\n' }],
    [
      'a patch',
      'apply_patch',
      { input: '*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-typed\n+TYPED\n*** End Patch' },
    ],
  ])(
    '%s changes the buffer and leaves the disk alone; Undo gives the unsaved text again',
    async (_what, tool, args) => {
      const { project, editor, call, seen } = await desktop({ 'a.txt': 'one\ntwo\n' });
      const path = project.path('a.txt');
      await editor.open(path, 'one\ntwo\n');
      editor.type(path, { start: 4, end: 7, newText: 'typed' });
      await seen('a.txt', 'typed');
      expect(await call(tool, args)).toMatch(/a\.txt .*\[e\d+\]/);
      expect([editor.text(path), project.read('a.txt')]).toEqual(['one\nTYPED\n', 'one\ntwo\n']);
      expect(await call('Undo', {})).toContain('is undone');
      expect([editor.text(path), project.read('a.txt')]).toEqual(['one\ntyped\n', 'one\ntwo\n']);
    },
  );

  test('nothing is written under a buffer that is open and clean either', async () => {
    const { project, editor, call, seen } = await desktop({ 'a.txt': 'one\n' });
    await editor.open(project.path('a.txt'), 'one\n');
    await seen('a.txt', 'one');
    expect(await call('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'ONE' })).toContain('Edited');
    expect([editor.text(project.path('a.txt')), project.read('a.txt')]).toEqual(['ONE\n', 'one\n']);
  });

  test('a change of an open file and of a closed one is one change: both or none', async () => {
    const { project, editor, call, seen } = await desktop({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    await editor.open(project.path('a.txt'), 'typed\n');
    await seen('a.txt', 'typed');
    const edits = [
      { file_path: 'b.txt', old_string: 'two', new_string: 'TWO' },
      { file_path: 'a.txt', old_string: 'typed', new_string: 'TYPED' },
    ];
    expect(
      await call('MultiEdit', { edits: [...edits, { file_path: 'a.txt', old_string: 'no', new_string: 'x' }] }),
    ).toContain('No file was changed');
    expect([editor.text(project.path('a.txt')), project.read('b.txt')]).toEqual(['typed\n', 'two\n']);
    expect(await call('MultiEdit', { edits })).toContain('Edited');
    expect([editor.text(project.path('a.txt')), project.read('b.txt')]).toEqual(['TYPED\n', 'TWO\n']);
    expect(project.read('a.txt')).toBe('one\n');
  });

  test('CRLF, an astral character and several places arrive as they were meant', async () => {
    const { project, editor, call, seen } = await desktop({ 'a.txt': '' });
    const path = project.path('a.txt');
    await editor.open(path, '𝒳 x\r\ny x\r\n\r\nx\r\n');
    await seen('a.txt', '𝒳');
    await call('Edit', { file_path: 'a.txt', old_string: 'x', new_string: 'é\nz', replace_all: true });
    expect(editor.text(path)).toBe('𝒳 é\r\nz\r\ny é\r\nz\r\n\r\né\r\nz\r\n');
  });
});

test('a buffer with half of a character is refused, and nothing is lost', async () => {
  const { project, editor, call, seen } = await desktop({ 'a.txt': '' });
  await editor.open(project.path('a.txt'), 'one\n\ud835 two\n');
  await editor.open(project.path('b.txt'), 'b\n');
  await seen('b.txt', 'b');
  const words =
    "Error encoding: a.txt: the editor holds half of a character at L2, which can't be saved. Delete it there";
  expect(await call('Read', { file_path: 'a.txt' })).toBe(words);
  expect(await call('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'x' })).toContain(words);
  expect(editor.text(project.path('a.txt'))).toBe('one\n\ud835 two\n');
});

describe('an editor that does not make an edit', () => {
  const refusing: [string, Partial<EditorOptions>, RegExp][] = [
    [
      'refuses it',
      { onApplyEdit: async () => ({ applied: false }) },
      /^Error conflict: a\.txt: the editor refused the edit\. Nothing was changed/,
    ],
    [
      'says yes and drops it',
      { onApplyEdit: async () => ({ applied: true }) },
      /^Error conflict: a\.txt: the edit did not show in the buffer\. Nothing/,
    ],
    [
      'never answers',
      { onApplyEdit: () => new Promise(() => undefined) },
      /^Error conflict: a\.txt: the edit did not show in the buffer/,
    ],
  ];
  test.each(refusing)(
    '%s: conflict, after it was asked twice, and the disk is as it was',
    async (_what, options, words) => {
      let asked = 0;
      const { project, editor, call, seen } = await desktop(
        { 'a.txt': 'one\n' },
        {
          onApplyEdit: async (params) => {
            asked += 1;
            return options.onApplyEdit?.(params) ?? { applied: false };
          },
        },
      );
      await editor.open(project.path('a.txt'), 'typed\n');
      await seen('a.txt', 'typed');
      expect(await call('Edit', { file_path: 'a.txt', old_string: 'typed', new_string: 'x' })).toMatch(words);
      expect([asked, project.read('a.txt'), editor.text(project.path('a.txt'))]).toEqual([2, 'one\n', 'typed\n']);
    },
  );

  test('because a key was pressed meanwhile: it is planned anew, and lands', async () => {
    let pressed = 0;
    const { project, editor, call, seen } = await desktop(
      { 'a.txt': '' },
      {
        answerToDropped: 'yes',
        async beforeApply() {
          if (pressed++ < 3) editor.type(project.path('a.txt'), { start: 0, end: 0, newText: 'k' });
        },
      },
    );
    const path = project.path('a.txt');
    await editor.open(path, '\nfar away\n\none\n');
    await seen('a.txt', 'one');
    expect(await call('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'ONE' })).toContain('Edited');
    expect(editor.text(path)).toBe('kkk\nfar away\n\nONE\n');
  });
});

describe('whichever comes first', () => {
  test('an agent in a folder above or below the editor’s sees its buffers too', async () => {
    useStateFolder();
    const project = makeProject({ 'sub/a.txt': 'one\n', 'sub/deep/b.txt': 'two\n' });
    await startRoot(project.path('sub/deep'));
    await startRoot(project.path('sub'));
    const editor = await startEditor({ root: project.path('sub') });
    await editor.open(project.path('sub/a.txt'), 'typed\n');
    await editor.open(project.path('sub/deep/b.txt'), 'typed\n');
    const below = await startAgent(project.path('sub/deep'));
    while (!(await below.call('Read', { file_path: 'b.txt' })).text.includes('typed')) await new Promise(setImmediate);
    // This one comes last, and owns what lies above both.
    await startRoot(project.root);
    const above = await startAgent(project.root);
    expect((await above.call('Read', { file_path: 'sub/a.txt' })).text).toBe('1→typed');
    const edit = { old_string: 'typed', new_string: 'TYPED' };
    expect((await above.call('Edit', { file_path: 'sub/a.txt', ...edit })).ok).toBe(true);
    expect((await below.call('Edit', { file_path: 'b.txt', ...edit })).ok).toBe(true);
    expect([editor.text(project.path('sub/a.txt')), editor.text(project.path('sub/deep/b.txt'))]).toEqual([
      'TYPED\n',
      'TYPED\n',
    ]);
    expect([project.read('sub/a.txt'), project.read('sub/deep/b.txt')]).toEqual(['one\n', 'two\n']);
  });

  test('a resident that takes the place of another one has the buffers before its first call', async () => {
    const { project, resident, editor } = await desktop({ 'a.txt': 'one\n' });
    await editor.open(project.path('a.txt'), 'typed\n');
    await resident.stop();
    await startRoot(project.root);
    const agent = await startAgent(project.root);
    const edited = await agent.call('Edit', { file_path: 'a.txt', old_string: 'typed', new_string: 'TYPED' });
    expect(edited.text).toContain('Edited');
    expect([editor.text(project.path('a.txt')), project.read('a.txt')]).toEqual(['TYPED\n', 'one\n']);
  });

  test('a file that is open in two editors is that of the one in which was typed last', async () => {
    const { project, editor, call, seen } = await desktop({ 'a.txt': 'one\n' });
    const other = await startEditor({ root: project.root });
    const path = project.path('a.txt');
    await editor.open(path, 'one\n');
    await other.open(path, 'one\n');
    editor.type(path, { start: 0, end: 0, newText: 'first ' });
    await seen('a.txt', 'first');
    other.type(path, { start: 0, end: 0, newText: 'second ' });
    await seen('a.txt', 'second');
    await call('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'ONE' });
    expect([editor.text(path), other.text(path), project.read('a.txt')]).toEqual([
      'first one\n',
      'second ONE\n',
      'one\n',
    ]);
    other.kill();
    await seen('a.txt', 'first one');
  });
});

describe('an editor that is gone', () => {
  test.each(['killed', 'closed without saving'])(
    '%s: the disk counts, and lost text is said to be lost, once',
    async (how) => {
      const { project, editor, call, seen } = await desktop({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
      const path = project.path('a.txt');
      await editor.open(path, 'typed\n');
      await editor.open(project.path('b.txt'), 'two\n');
      await seen('a.txt', 'typed');
      await seen('b.txt', 'two');
      if (how === 'killed') editor.kill();
      else await editor.close(path);
      const note = 'note: a.txt was closed in the editor and its unsaved text is gone';
      let said = '';
      const deadline = performance.now() + 5000;
      while (!said.includes('1→one') && performance.now() < deadline)
        said += await call('Read', { file_path: 'a.txt' });
      expect(said).toContain('1→one');
      said += await call('Read', { file_path: 'b.txt' });
      expect(said.split(note)).toHaveLength(2);
      expect(said).not.toContain('b.txt was closed');
      expect(await call('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'ONE' })).toContain('Edited');
      expect(project.read('a.txt')).toBe('ONE\n');
    },
  );
});

describe('what the editor’s own servers say', () => {
  const options = { initializationOptions: { diagnostics: 'editor' } };
  const finding = (line: number, message: string) => ({
    range: { start: { line, character: 0 }, end: { line, character: 1 } },
    severity: 1,
    message,
    source: 'Pyright',
  });

  test('comes with the edit once it is of the new text, and no server of ours starts', async () => {
    const { project, editor, call, seen } = await desktop({ 'a.py': '' }, options);
    const path = project.path('a.py');
    await editor.open(path, 'x = 1\ny = 2\n');
    await seen('a.py', 'y = 2');
    await editor.diagnose(path, [finding(1, 'old')]);
    editor.connection.onNotification('emend/none', () => undefined);
    const answer = call('Edit', { file_path: 'a.py', old_string: 'x = 1', new_string: 'x = 1 +\nz = 0' });
    expect(await until(() => editor.text(path).includes('z'), 2000)).toBe(true);
    await editor.diagnose(path, [finding(0, 'new'), finding(2, 'old')]);
    expect(await answer).toMatch(
      /diagnostics: 1 introduced, 0 fixed, 1 before \(\d+ ms\); dependent files not checked yet[\s\S]*a\.py:1:1 error new/,
    );
  });

  test('is pending where it does not follow the edit, and comes with a later result', async () => {
    const { project, editor, agent, seen } = await desktop({ 'a.py': '' }, options);
    const path = project.path('a.py');
    await editor.open(path, 'x = 1\n');
    await seen('a.py', 'x');
    await editor.diagnose(path, []);
    const edit = { file_path: 'a.py', old_string: 'x = 1', new_string: 'x = 1 +' };
    const answer = await agent.call('Edit', edit, { options: { diagnosticsBudgetMs: 50 } });
    expect(answer.text).toContain('diagnostics: pending (test editor is still looking at the new text');
    await editor.diagnose(path, [finding(0, 'late')]);
    await agent.flush(0);
    let later = '';
    while (!later.includes('late')) later += (await agent.call('Read', { file_path: 'a.py' })).text;
    expect(later).toMatch(/diagnostics of \[e\d+\]: 1 introduced/);
  });

  test('that are still those of the text before are not taken for the new ones', async () => {
    const { project, editor, agent, seen } = await desktop({ 'a.py': '' }, options);
    const path = project.path('a.py');
    await editor.open(path, 'x = 1\n');
    await seen('a.py', 'x');
    await editor.diagnose(path, []);
    const uri = uriOfPath(path);
    const old = editor.version(path);
    const edit = { file_path: 'a.py', old_string: 'x = 1', new_string: 'x = 1 +' };
    const answer = agent.call('Edit', edit, { options: { diagnosticsBudgetMs: 1500 } });
    expect(await until(() => editor.text(path).includes('+'), 2000)).toBe(true);
    // Said after the edit, of the text before it.
    await editor.connection.sendNotification('emend/diagnosed', { uri, version: old, diagnostics: [] });
    expect((await answer).text).toContain('diagnostics: pending (test editor is still looking at the new text');
  });

  test('of a file that is not open there is said to be unavailable', async () => {
    const { call } = await desktop({ 'a.py': 'x = 1\n' }, options);
    expect(await call('Edit', { file_path: 'a.py', old_string: '1', new_string: '2' })).toContain(
      'diagnostics: unavailable (test editor: the file is not open there',
    );
  });
});
