import { copyFile, mkdir, mkdtemp, readFile, realpath, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Broker, createBroker } from '../../src/hosts/create-broker.ts';
import { noRun } from '../support/no-run.ts';

type CallResult = Awaited<ReturnType<Broker['call']>>;

let root: string;
let broker: Broker;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'staleness-')));
  broker = await createBroker({ root, run: noRun, tools: ['Read', 'Edit', 'MultiEdit', 'Write', 'apply_patch'] });
});
afterEach(() => broker.close());

const at = (name: string): string => join(root, name);
const textOf = (name: string): Promise<string> => readFile(at(name), 'utf8');
const read = (file_path: string, range: object = {}): Promise<CallResult> =>
  broker.call('Read', { file_path, ...range });
const edit = (file_path: string, old_string: string, new_string: string): Promise<CallResult> =>
  broker.call('Edit', { file_path, old_string, new_string });
const write = (file_path: string, content: string): Promise<CallResult> => broker.call('Write', { file_path, content });
const lines = (count: number, change: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, line) => `${change[line + 1] ?? `line ${line + 1} here`}\n`).join('');

describe('what is no change is no reason to refuse', () => {
  test('other times, and the same bytes in another file', async () => {
    await writeFile(at('f'), lines(10));
    await read('f');
    await utimes(at('f'), new Date(0), new Date(0));
    expect(await edit('f', 'line 3 here', 'line 3 now')).toMatchObject({ ok: true });
    await copyFile(at('f'), at('t'));
    await rename(at('t'), at('f'));
    const written = await write('f', lines(9));
    expect(written).toMatchObject({ ok: true });
    expect(written.text).not.toContain('note:');
  });

  test('own edits', async () => {
    await writeFile(at('f'), lines(10));
    await read('f');
    await edit('f', 'line 3 here', 'line 3 now');
    await broker.call('MultiEdit', {
      file_path: 'f',
      edits: [{ old_string: 'line 5 here', new_string: 'line 5 now' }],
    });
    expect((await write('f', 'all new\n')).text).toMatch(/^Overwrote f \(\+1 -10\) \[e\d+\]$/);
    expect(await write('f', 'newer\n')).toMatchObject({ ok: true });
  });

  test('another spelling of the path', async () => {
    await mkdir(at('src'));
    await writeFile(at('src/a.py'), lines(10));
    await symlink('src', at('linked'));
    await read('./src/../src/a.py');
    await writeFile(at('src/a.py'), lines(10, { 9: 'theirs' }));
    for (const spelling of [at('src/a.py'), 'linked/a.py']) {
      expect(await write(spelling, 'mine\n')).toMatchObject({ ok: false, receipt: { code: 'stale' } });
    }
  });
});

test('where case counts, another case is another file, and the one that is meant is named', async () => {
  await writeFile(at('Foo.md'), lines(4));
  await read('Foo.md');
  const refused = await edit('foo.md', 'line 3 here', 'line 3 now');
  expect(refused).toMatchObject({ ok: false, receipt: { code: 'not_found' } });
  expect(refused.text).toContain('Did you mean Foo.md?');
  expect(await textOf('Foo.md')).toBe(lines(4));
});

describe('Edit of a file that others changed', () => {
  test('goes on where its lines are the same, and says once what changed elsewhere', async () => {
    await writeFile(at('f'), lines(40));
    await read('f');
    await writeFile(at('f'), lines(40, { 18: 'theirs', 19: 'theirs too' }));
    const first = await edit('f', 'line 3 here', 'line 3 now\nand more');
    expect(first).toMatchObject({ ok: true });
    expect(first.text).toContain('note: the file changed since you read it: L19-20. Your lines were the same.');
    expect(await textOf('f')).toBe(lines(40, { 3: 'line 3 now\nand more', 18: 'theirs', 19: 'theirs too' }));
    expect((await edit('f', 'line 30 here', 'line 30 now')).text).not.toContain('note:');
  });

  test('is refused where its lines are the old ones, and shows the present', async () => {
    await writeFile(at('f'), lines(40));
    await read('f');
    await writeFile(at('f'), lines(40, { 18: 'line 18 is quite another one by now' }));
    const refused = await edit('f', 'line 17 here\nline 18 here', 'gone');
    expect(refused).toMatchObject({ ok: false, receipt: { code: 'no_match' } });
    expect(refused.text).toContain('18 file:');
    expect(await textOf('f')).toBe(lines(40, { 18: 'line 18 is quite another one by now' }));
  });

  test('an exact place that was never read is not taken where one that was fits nearly', async () => {
    const block = (indent: string): string => `${indent}if (ready) {\n${indent}  start(now);\n${indent}}\n`;
    const text = `one\n${block('    ')}${lines(60)}${block('')}last\n`;
    await writeFile(at('f.js'), text);
    await read('f.js', { limit: 10 });
    const refused = await edit('f.js', 'if (ready) {\n  start(now);\n}\n', 'if (ready) {\n  start(later);\n}\n');
    expect(refused).toMatchObject({ ok: false, receipt: { code: 'ambiguous' } });
    expect(refused.text).toMatch(
      /2 places fit old_string in f\.js: L6\d exactly, but you have not read it, and L\d \(indentation-flexible\)/,
    );
    expect(await textOf('f.js')).toBe(text);
    await read('f.js', { offset: 60 });
    expect(await edit('f.js', 'if (ready) {\n  start(now);\n}\n', 'if (ready) {\n  start(later);\n}\n')).toMatchObject({
      ok: true,
    });
  });
});

describe('what a session has read counts for several edits and patches too', () => {
  const block = (indent: string): string => `${indent}if (ready) {\n${indent}  start(now);\n${indent}}\n`;
  const twins = `one\n${block('    ')}${lines(60)}${block('')}last\n`;
  const [old_string, new_string] = [block(''), block('').replace('now', 'later')];
  const multi = (...edits: readonly object[]): Promise<CallResult> => broker.call('MultiEdit', { edits });
  const patch = (...parts: readonly string[]): Promise<CallResult> =>
    broker.call('apply_patch', { input: ['*** Begin Patch', ...parts, '*** End Patch'].join('\n') });
  const hunk = [' if (ready) {', '-  start(now);', '+  start(later);', ' }'];

  test.each<[string, () => Promise<CallResult>]>([
    ['MultiEdit', () => multi({ file_path: 'f.js', old_string, new_string })],
    [
      'MultiEdit, after an edit of the lines above it',
      () =>
        multi(
          { file_path: 'f.js', old_string: 'one', new_string: 'one\nmore\nand more' },
          { file_path: 'f.js', old_string, new_string },
        ),
    ],
    ['apply_patch', () => patch('*** Update File: f.js', '@@', ...hunk)],
  ])('%s: an exact place that was never read is not taken where one that was fits nearly', async (_, change) => {
    await writeFile(at('f.js'), twins);
    await read('f.js', { limit: 10 });
    const refused = await change();
    expect(refused).toMatchObject({ ok: false, receipt: { code: 'ambiguous' } });
    expect(refused.text).toMatch(
      /2 places fit .* in f\.js: L6\d exactly, but you have not read it, and L\d \(indentation-flexible\)/,
    );
    expect(await textOf('f.js')).toBe(twins);
    await read('f.js', { offset: 60 });
    expect(await change()).toMatchObject({ ok: true });
  });

  test('a hunk that points at its place is made there, read or not', async () => {
    await writeFile(at('f.js'), twins.replace(`\n${block('')}last`, `\nfunction last() {\n${block('')}`));
    await read('f.js', { limit: 10 });
    expect(await patch('*** Update File: f.js', '@@ function last() {', ...hunk)).toMatchObject({ ok: true });
    await writeFile(at('g.js'), twins);
    await read('g.js', { limit: 10 });
    const input = ['--- a/g.js', '+++ b/g.js', '@@ -65,3 +65,3 @@', ...hunk, ''].join('\n');
    expect(await broker.call('apply_patch', { input })).toMatchObject({ ok: true });
    expect(await textOf('g.js')).toContain('\n  start(later);\n}\nlast');
  });

  test('what others changed elsewhere is told once, by file', async () => {
    await writeFile(at('f'), lines(40));
    await writeFile(at('g'), lines(40));
    await read('f');
    await read('g');
    await writeFile(at('f'), lines(40, { 18: 'theirs' }));
    const first = await multi(
      { file_path: 'f', old_string: 'line 3 here', new_string: 'line 3 now' },
      { file_path: 'g', old_string: 'line 3 here', new_string: 'line 3 now' },
    );
    expect(first.text).toContain('note: f changed since you read it: L18. Your lines were the same.');
    await writeFile(at('g'), lines(40, { 3: 'line 3 now', 30: 'theirs' }));
    const second = await patch('*** Update File: g', '@@', '-line 5 here', '+line 5 now');
    expect(second.text).toContain('note: the file changed since you read it: L30. Your lines were the same.');
    expect((await patch('*** Update File: g', '@@', '-line 6 here', '+line 6 now')).text).not.toContain('note:');
  });

  test('the same insertion again is already applied, under its receipt', async () => {
    const inserted = { file_path: 'f', old_string: 'line 3 here', new_string: 'line 3 here\ninserted' };
    const other = { file_path: 'f', old_string: 'line 7 here', new_string: 'line 7 now\nand more' };
    await writeFile(at('f'), lines(10));
    const first = await multi(inserted, other);
    const after = lines(10, { 3: 'line 3 here\ninserted', 7: 'line 7 now\nand more' });
    expect(await textOf('f')).toBe(after);
    const again = await multi({ ...other, old_string: 'line 8 here', new_string: 'line 8 now' }, inserted);
    expect(again).toMatchObject({ ok: false, receipt: { code: 'already_applied' } });
    expect(again.text).toContain(
      `edit 2 of 2 (f). No file was changed. This edit was made already as [${first.receipt.id}]`,
    );
    expect(again.text).toContain('at L3-5');
    expect(await textOf('f')).toBe(after);
    expect(await edit('f', inserted.old_string, inserted.new_string)).toMatchObject({
      receipt: { code: 'already_applied' },
    });
  });

  test.each<[string, readonly string[]]>([
    ['below a line', ['@@', ' line 10 here', '+inserted']],
    ['at the end, with no line around it', ['@@', '+inserted']],
    ['below its @@ line', ['@@ line 10 here', '+inserted']],
    ['before the end', ['@@', ' line 10 here', '+inserted', '*** End of File']],
  ])('a patch that inserts %s is made once', async (_, part) => {
    await writeFile(at('f'), lines(10));
    const first = await patch('*** Update File: f', ...part);
    expect(await textOf('f')).toBe(lines(10, { 10: 'line 10 here\ninserted' }));
    const again = await patch('*** Update File: f', ...part);
    expect(again).toMatchObject({ ok: false, receipt: { code: 'already_applied' } });
    expect(again.text).toContain(`made already as [${first.receipt.id}]`);
    expect(again.text).not.toContain('old_string');
    expect(await textOf('f')).toBe(lines(10, { 10: 'line 10 here\ninserted' }));
  });
});

describe('two parts of one file in one patch', () => {
  const patch = (...parts: readonly string[]): Promise<CallResult> =>
    broker.call('apply_patch', { input: ['*** Begin Patch', ...parts, '*** End Patch'].join('\n') });
  const low = ['*** Update File: f', '@@', ' line 8 here', '+inserted below'];
  const high = ['*** Update File: f', '@@', ' line 2 here', '+inserted', '+above'];

  test.each([
    ['the later one below', [...high, ...low]],
    ['the later one above', [...low, ...high]],
  ])('are both known when they come again, %s', async (_, parts) => {
    await writeFile(at('f'), lines(10));
    const { receipt } = await patch(...parts);
    const after = lines(10, { 2: 'line 2 here\ninserted\nabove', 8: 'line 8 here\ninserted below' });
    expect(await textOf('f')).toBe(after);
    for (const part of [high, low]) {
      const again = await patch(...part);
      expect(again).toMatchObject({ ok: false, receipt: { code: 'already_applied' } });
      expect(again.text).toContain(`made already as [${receipt.id}]`);
    }
    expect(await textOf('f')).toBe(after);
  });

  test('tell what each kept of the file', async () => {
    await writeFile(at('f'), 'alpha(1);  \nbeta();\ngamma();\n\none(\u2019x\u2019);\ntwo();\n');
    const result = await patch(
      ...['*** Update File: f', '@@', " one('x');", '-two();', '+2();'],
      ...['*** Update File: f', '@@', ' alpha(1);', '-beta();', '+b();', '+c();', ' gamma();'],
    );
    expect(result).toMatchObject({ ok: true });
    expect(result.receipt.files[0]).toMatchObject({ matched_via: 'unicode-normalized' });
    expect(await textOf('f')).toBe('alpha(1);  \nb();\nc();\ngamma();\n\none(\u2019x\u2019);\n2();\n');
  });
});

describe('a change that another program took back', () => {
  test('is told with the next edit or Read, once', async () => {
    await writeFile(at('f'), lines(10));
    await read('f');
    const { receipt } = await edit('f', 'line 3 here', 'line 3 now');
    await writeFile(at('f'), lines(10));
    const note = `was changed back by another program to what it was before your change [${receipt.id}]`;
    expect((await read('f')).text).toContain(note);
    expect((await read('f')).text).not.toContain('changed back');
    const again = await edit('f', 'line 3 here', 'line 3 now');
    expect(again.text).not.toContain('changed back');
    await writeFile(at('f'), lines(10));
    expect((await edit('f', 'line 5 here', 'line 5 now')).text).toContain('was changed back by another program');
  });
});

describe('the same insertion again', () => {
  test('is already applied, under its receipt, while its lines stand', async () => {
    await writeFile(at('f'), lines(10));
    const first = await edit('f', 'line 3 here', 'line 3 here\ninserted');
    const after = lines(10, { 3: 'line 3 here\ninserted' });
    const again = await edit('f', 'line 3 here', 'line 3 here\ninserted');
    expect(again).toMatchObject({ ok: false, receipt: { code: 'already_applied' } });
    expect(again.text).toContain(`made already as [${first.receipt.id}]`);
    expect(again.text).toMatch(/at L3-5/);
    expect(await textOf('f')).toBe(after);
    await writeFile(at('f'), lines(10));
    expect(await edit('f', 'line 3 here', 'line 3 here\ninserted')).toMatchObject({ ok: true });
    expect(await textOf('f')).toBe(after);
  });
});

describe('Write over a file', () => {
  test('that changed since it was read is stale, with the lines; after another Read it is written', async () => {
    await writeFile(at('f'), lines(40));
    await read('f');
    const theirs = lines(40, { 12: 'theirs', 30: 'theirs' });
    await writeFile(at('f'), theirs);
    const refused = await write('f', 'mine\n');
    expect(refused).toMatchObject({ ok: false, receipt: { code: 'stale' } });
    expect(refused.text).toContain('f changed since you read it: L12, L30.');
    expect(await textOf('f')).toBe(theirs);
    await read('f');
    expect(await write('f', 'mine\n')).toMatchObject({ ok: true });
  });

  test('that was never read is written, with a note and its old content kept', async () => {
    await writeFile(at('f'), lines(4));
    const written = await write('f', 'mine\n');
    expect(written).toMatchObject({ ok: true, receipt: { undo: written.receipt.id } });
    expect(written.text).toContain(
      `note: you had not read this file; its old content is kept: Undo {"id":"${written.receipt.id}"} brings it back`,
    );
    await writeFile(at('empty'), '');
    expect((await write('empty', 'mine\n')).text).not.toContain('note:');
  });

  test('that was never read is refused where that is asked for', async () => {
    const strict = await createBroker({ root, run: noRun, strictWrite: true });
    await writeFile(at('f'), lines(4));
    const refused = await strict.call('Write', { file_path: 'f', content: 'mine\n' });
    expect(refused).toMatchObject({ ok: false, receipt: { code: 'stale' } });
    expect(refused.text).toContain('f is there already (4 lines) and you have not read it. Read it first');
    expect(await textOf('f')).toBe(lines(4));
    await strict.call('Read', { file_path: 'f' });
    expect(await strict.call('Write', { file_path: 'f', content: 'mine\n' })).toMatchObject({ ok: true });
    expect(await strict.call('Write', { file_path: 'new', content: 'mine\n' })).toMatchObject({ ok: true });
    await strict.close();
  });

  test('with a mark for what was left out is refused', async () => {
    const old = lines(300);
    await writeFile(at('f.py'), old);
    await read('f.py');
    const content = `# ... (previous code remains unchanged)\n${lines(10)}# ... rest of the code unchanged ...\n`;
    expect(await write('f.py', content)).toMatchObject({ ok: false, receipt: { code: 'elision' } });
    expect(await textOf('f.py')).toBe(old);
  });

  test('with its own beginning, cut within a line, is refused; cut after a line it is written', async () => {
    const old = lines(900);
    await writeFile(at('f'), old);
    await read('f');
    const refused = await write('f', lines(285).slice(0, -4));
    expect(refused).toMatchObject({ ok: false, receipt: { code: 'elision' } });
    expect(refused.text).toContain('content looks cut off at line 285 of 900');
    expect(await textOf('f')).toBe(old);
    expect(await write('f', lines(285))).toMatchObject({ ok: true });
  });

  test.each([
    ['a file that is there', '1→one\n2→two\n'],
    ['a page from the middle, with the remark below it', '7→one\r\n8→two\r\n(lines 7-8 of 20; next offset 9)'],
    ['a single line', '1→one'],
  ])('with the numbers that Read shows is refused: %s', async (_, content) => {
    await writeFile(at('f'), 'one\ntwo\n');
    await read('f');
    for (const name of ['f', 'new']) {
      const refused = await write(name, content);
      expect(refused).toMatchObject({ ok: false, receipt: { code: 'invalid_arguments' } });
      expect(refused.text).toContain('Send the lines without them');
    }
    expect(await textOf('f')).toBe('one\ntwo\n');
    await expect(textOf('new')).rejects.toThrow('ENOENT');
  });

  test.each([
    ['numbers of a table', '1,a\n2,b\n'],
    ['a list', '1. a\n2. b\n'],
    ['numbers that do not count', '1→a\n1→b\n'],
    ['one line of several', '1→a\nb\n'],
    ['nothing', ''],
  ])('with %s before lines is written', async (_, content) => {
    expect(await write('t', content)).toMatchObject({ ok: true });
    expect(await textOf('t')).toBe(content);
  });

  test('over a file whose own lines are numbered so is written', async () => {
    await writeFile(at('f'), '1→one\n');
    await read('f');
    expect(await write('f', '1→one\n2→two\n')).toMatchObject({ ok: true });
  });

  test('without any content is a wrong call that changes nothing', async () => {
    await writeFile(at('f'), 'old\n');
    const refused = await broker.call('Write', { file_path: 'f' });
    expect(refused).toMatchObject({ ok: false, receipt: { code: 'invalid_arguments' } });
    expect(refused.text).toContain('content');
    expect(await textOf('f')).toBe('old\n');
  });
});

describe('a file that is moved, or brought back', () => {
  const patch = (...lines: readonly string[]): Promise<CallResult> =>
    broker.call('apply_patch', { input: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') });
  const move = (from: string, to: string): Promise<CallResult> =>
    patch(`*** Update File: ${from}`, `*** Move to: ${to}`);
  const strict = async (): Promise<void> => {
    await broker.close();
    broker = await createBroker({
      root,
      run: noRun,
      strictWrite: true,
      tools: ['Read', 'Write', 'Undo', 'apply_patch'],
    });
  };

  test('is as unseen as it was', async () => {
    await strict();
    await writeFile(at('f'), lines(10));
    expect(await move('f', 'g')).toMatchObject({ ok: true });
    expect(await write('g', 'blind\n')).toMatchObject({ ok: false, receipt: { code: 'stale' } });
    await writeFile(at('h'), lines(10));
    const gone = await patch('*** Delete File: h');
    expect(gone).toMatchObject({ ok: true });
    expect(await broker.call('Undo', {})).toMatchObject({ ok: true });
    expect(await write('h', 'blind\n')).toMatchObject({ ok: false, receipt: { code: 'stale' } });
  });

  test('is as known as it was, and what others changed meanwhile too', async () => {
    await strict();
    await writeFile(at('f'), lines(10));
    await writeFile(at('g'), lines(10));
    await read('f');
    await read('g');
    await writeFile(at('g'), lines(10, { 9: 'theirs' }));
    await move('f', 'f2');
    await move('g', 'g2');
    expect(await write('f2', 'mine\n')).toMatchObject({ ok: true });
    expect(await write('g2', 'mine\n')).toMatchObject({ ok: false, receipt: { code: 'stale' } });
  });

  test('does not take the same insertion twice', async () => {
    await writeFile(at('f'), lines(10));
    const insertion = ['line 5 here\n', 'line 5 here\nnew\n'] as const;
    expect(await edit('f', ...insertion)).toMatchObject({ ok: true });
    await move('f', 'g');
    expect(await edit('g', ...insertion)).toMatchObject({ ok: false, receipt: { code: 'already_applied' } });
  });
});
