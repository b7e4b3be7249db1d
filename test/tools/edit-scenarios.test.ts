import { describe, expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/broker/session.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { defaultTools, optionalTools } from '../../src/tools/tools.ts';
import { openToolRoom } from '../support/tool-room.ts';
import { textsOf } from '../support/tree.ts';

/** Reported failures of other tools about what a miss costs and what its answer says, as scenarios of ours. */

const TOOLS = [...defaultTools, ...optionalTools];

async function open(files: Readonly<Record<string, string>>) {
  const room = await openToolRoom(files);
  onTestFinished(() => room.close());
  const session = createSession(room.root, 'test');
  return { ...room, call: (name: string, args: unknown) => callTool(TOOLS, { name, args }, { session }) };
}

/** The answer to a call that must be refused, and that nothing was changed. */
async function refusal(files: Readonly<Record<string, string>>, name: string, args: unknown): Promise<string> {
  const room = await open(files);
  const before = textsOf(room.folder);
  const { ok, text } = await room.call(name, args);
  expect(ok).toBe(false);
  expect(textsOf(room.folder)).toEqual(before);
  expect(text.length).toBeLessThan(1_500);
  expect(text.split('\n').length).toBeLessThan(15);
  return text;
}

const codeLines = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${'  '.repeat(at % 4)}value${at} = compute(${at}, entry${at % 97});`);

describe('what a miss costs', () => {
  test('a patch with 480 lines of context of which one differs names that line', async () => {
    const lines = codeLines(500);
    const hunk = lines.slice(10, 490).map((line, at) => (at === 240 ? ' other = 1;' : ` ${line}`));
    const input = ['*** Begin Patch', '*** Update File: f.js', '@@', ...hunk, '-gone();', '+come();', '*** End Patch'];
    const text = await refusal({ 'f.js': `${lines.join('\n')}\n` }, 'apply_patch', { input: input.join('\n') });
    expect(text).toMatch(/^Error no_match: .*Nearest: L1\d-49\d, 479 of 481 lines equal/);
    expect(text).toContain('251 yours: other·=·1;');
  });

  test('a miss in a file of 100,000 lines, one of them of 5 kB', async () => {
    const lines = [...codeLines(100_000), `x = [${'1,'.repeat(2_500)}];`];
    const old = lines.slice(50_000, 50_040).with(20, 'other();').join('\n');
    const text = await refusal({ 'f.py': lines.join('\n') }, 'Edit', {
      file_path: 'f.py',
      old_string: old,
      new_string: `${old}\nend();`,
    });
    expect(text).toMatch(/Nearest: L50001-50040, 39 of 40 lines equal/);
  });

  test('a miss of 200 lines with other blanks and one wrong word in 12,500 lines, while another caller is answered', async () => {
    const lines = codeLines(12_500);
    const drifted = lines.slice(6_000, 6_200).map((line) => line.trim().replaceAll(', ', ','));
    const old = drifted.with(100, 'other();').join('\n');
    const room = await open({ 'f.js': lines.join('\n'), 'small.js': 'one();\n' });
    const answers: string[] = [];
    const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
      const { text } = await room.call(name, args);
      answers.push(name);
      return text;
    };
    const [missed] = await Promise.all([
      call('Edit', { file_path: 'f.js', old_string: old, new_string: `${old}\nend();` }),
      call('Read', { file_path: 'small.js' }),
    ]);
    expect(missed).toMatch(/^Error no_match: .*Nearest: L6001-6200, /);
    expect(answers).toEqual(['Read', 'Edit']);
  });
});

describe('every line of a long file changes', () => {
  const before = `${codeLines(8_000).join('\n')}\n`;
  const after = before.replaceAll('compute', 'reckon');
  const patch = (): string =>
    [
      '*** Begin Patch',
      '*** Update File: f.js',
      '@@',
      ...codeLines(8_000).map((line) => `-${line}`),
      ...codeLines(8_000).map((line) => `+${line.replace('compute', 'reckon')}`),
      '*** End Patch',
    ].join('\n');

  test.each<[string, Record<string, unknown>]>([
    ['Edit', { file_path: 'f.js', old_string: before, new_string: after }],
    ['MultiEdit', { edits: [{ file_path: 'f.js', old_string: before, new_string: after }] }],
    ['Write', { file_path: 'f.js', content: after }],
    ['apply_patch', { input: patch() }],
  ])('by %s', async (name, args) => {
    const room = await open({ 'f.js': before });
    const { ok, text } = await room.call(name, args);
    expect(ok, text.slice(0, 1_500)).toBe(true);
    expect(text).toContain('(+8000 -8000)');
    expect(textsOf(room.folder)['f.js'] === after).toBe(true);
  });

  test('by Write over 20,000 lines', async () => {
    const lines = codeLines(20_000);
    const content = lines.map((line, at) => (at % 3 === 0 ? `${line}\n` : `  ${line}`)).join('\n');
    const room = await open({ 'f.js': lines.join('\n') });
    const { ok, text } = await room.call('Write', { file_path: 'f.js', content });
    expect(ok, text.slice(0, 1_500)).toBe(true);
    expect(textsOf(room.folder)['f.js'] === content).toBe(true);
  });
});

describe('what a refusal says', () => {
  test('the first lines that differ, an empty one included', async () => {
    const text = await refusal({ f: 'x = f[1]\nstatus\n' }, 'Edit', {
      file_path: 'f',
      old_string: 'x = f[1]\n\nstatus\nend',
      new_string: 'x = f[2]\n\nstatus\nend',
    });
    expect(text).toMatch(/^Error no_match: .*difference:\n\d yours: \(empty\)\n\d file: /);
    expect(text).toContain('yours: end');
  });

  test('the real indentation of a line whose depth is meaning', async () => {
    const text = await refusal({ 'f.py': 'def f():\n    if a:\n        b()\n    c()\n' }, 'Edit', {
      file_path: 'f.py',
      old_string: 'def f():\n    if a:\n        b()\n        c()\n',
      new_string: 'def f():\n    if a:\n        b()\n        c(1)\n',
    });
    expect(text).toContain('4 yours: ········c()\n4 file:  ····c()');
  });

  test('the lines of all places that fit, with what they lie in', async () => {
    const block = (name: string): string => `function ${name}() {\n  go();\n}\n`;
    const text = await refusal({ 'f.js': ['a', 'b', 'c'].map(block).join('') }, 'Edit', {
      file_path: 'f.js',
      old_string: '  go();',
      new_string: '  stop();',
    });
    expect(text).toBe(
      'Error ambiguous: 3 places fit old_string in f.js: L2 (a), L5 (b), L8 (c). Add a line that differs, or set replace_all.',
    );
  });

  test('of a long plan the line that differs with its invisible characters, and no more', async () => {
    const items = Array.from({ length: 250 }, (_, at) => `-\u00a0step ${at}: run \`task${at}\``);
    const old = items.slice(100, 104).map((line) => line.replace('\u00a0', ' '));
    const text = await refusal({ 'plan.md': `${items.join('\n')}\n` }, 'Edit', {
      file_path: 'plan.md',
      old_string: old.with(1, '- step 101: walk `task101`').join('\n'),
      new_string: 'done',
    });
    expect(text).toContain('102 yours: -·step·101:·walk·`task101`\n102 file:  -[U+00A0]step·101:·run·`task101`');
  });
});
