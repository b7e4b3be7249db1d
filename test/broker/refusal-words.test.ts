import { describe, expect, test } from 'vitest';
import { replace } from '../../src/broker/replace.ts';

interface Words {
  readonly text: string;
  readonly old: string;
  readonly now?: string;
  readonly path?: string;
  readonly message: string;
}

const AUTH = [
  'export function check(t, now) {',
  '\tif (t.exp < now()) {',
  '\t\treturn false;',
  '\t}',
  '\treturn true;',
  '}',
  '',
].join('\n');
const TWO = 'class A {\n  one() {\n    log(1);\n  }\n  two() {\n    log(1);\n  }\n}\n';

const WORDS: readonly (readonly [string, Words])[] = [
  [
    'no match: the nearest place and only the difference, with blanks and tabs to be seen',
    {
      text: AUTH,
      old: '  if (t.exp < now) {\n    return false;',
      path: 'src/auth.ts',
      message: [
        'Error no_match: old_string is not in src/auth.ts (6 lines). Nearest: L2-3, 0 of 2 lines equal, in check; difference:',
        '2 yours: ··if·(t.exp·<·now)·{',
        '2 file:  →if·(t.exp·<·now())·{',
        '3 yours: ····return·false;',
        '3 file:  →→return·false;',
        "Copy the file's text, or Read src/auth.ts offset 1 limit 7.",
      ].join('\n'),
    },
  ],
  [
    'no match: nothing is like it',
    {
      text: AUTH,
      old: 'qqqq zzzz wwww',
      path: 'src/auth.ts',
      message:
        'Error no_match: old_string is not in src/auth.ts (6 lines). Nothing in it is like it. Read src/auth.ts first.',
    },
  ],
  [
    'no match: one line that is like it, of which no long piece is the same',
    {
      text: 'export const limit = 10;\n\nexport function isFull(count: number): boolean {\n  return count >= max;\n}\n',
      old: 'return counts > limit;',
      path: 'src/limit.ts',
      message: [
        'Error no_match: old_string is not in src/limit.ts (5 lines). Nearest: L4, 0 of 1 line equal, in isFull; difference:',
        '4 yours: return·counts·>·limit;',
        '4 file:  ··return·count·>=·max;',
        "Copy the file's text, or Read src/limit.ts offset 1 limit 8.",
      ].join('\n'),
    },
  ],
  [
    'no match: a word that stands in it is not likeness',
    {
      text: 'export function isFull(count: number): boolean {\n  return count >= max;\n}\n',
      old: 'while (true) return;',
      path: 'src/limit.ts',
      message:
        'Error no_match: old_string is not in src/limit.ts (3 lines). Nothing in it is like it. Read src/limit.ts first.',
    },
  ],
  [
    'ambiguous: every line, with what it lies in',
    {
      text: TWO,
      old: 'log(1);',
      path: 'a.ts',
      message:
        'Error ambiguous: 2 places fit old_string in a.ts: L3 (one), L6 (two). Add a line that differs, or set replace_all.',
    },
  ],
  [
    'already there',
    {
      text: 'const retry = 5;\n',
      old: 'const retry = 3;',
      now: 'const retry = 5;',
      message: 'Error already_applied: new_string is already at L1 and old_string is gone. Nothing to do.',
    },
  ],
  [
    'the same',
    {
      text: AUTH,
      old: 'x',
      now: 'x',
      message:
        'Error identical: old_string and new_string are the same. Nothing to do: send the text that is to stand there.',
    },
  ],
  [
    'empty',
    {
      text: AUTH,
      old: '',
      path: 'src/auth.ts',
      message:
        'Error empty_old: old_string is empty and src/auth.ts is not. Copy the lines to change into old_string, or Write the whole file.',
    },
  ],
  [
    'too short',
    {
      text: 'a = [ 1 ]\nb = [ 2 ]\n',
      old: '[1]',
      path: 'a.py',
      message:
        'Error too_short: old_string has under 5 characters and is not in a.py as it stands. Add the text around it.',
    },
  ],
  [
    'a mark of elision',
    {
      text: 'one();\ntwo();\nthree();\n',
      old: 'one();\ntwo();\nthree();',
      now: 'one(1);\n// ... existing code ...',
      message:
        'Error elision: new_string has "// ... existing code ...", which would be written as it is in place of code. Write the lines out, or leave them out of both strings.',
    },
  ],
];

describe('the words of a refusal', () => {
  test.each(WORDS)('%s', (_name, { text, old, now = 'changed();', path, message }) => {
    expect(replace(text, old, now, path === undefined ? {} : { path })).toMatchObject({ status: 'refused', message });
  });

  test('a difference that can not be seen is told by its code points', () => {
    const text = 'title\n-\u00a0one `thing` here\nend\n';
    const result = replace(text, 'title\n- one `thing` there\nend', 'title\n- two\nend', { path: 'plan.md' });
    expect(result).toMatchObject({ status: 'refused', code: 'no_match' });
    expect(result.status === 'refused' && result.message).toContain('2 file:  -[U+00A0]one·`thing`·here');
  });

  test.each([
    ['at its end', 'the file', 'const a = 1;', `x${'🙂'.repeat(120)} one`],
    ['at its start', 'both', `${'🙂'.repeat(80)}-one`, `${'🙂'.repeat(80)}-two`],
    ['at its start, one further', 'both', `a${'🙂'.repeat(80)}-one`, `a${'🙂'.repeat(80)}-two`],
  ])('a line that is cut %s is cut between characters of %s', (_where, _side, yours, file) => {
    const text = `first line of it\n${file}\nlast line of it\n`;
    const result = replace(text, `first line of it\n${yours}\nlast line of it`, 'x', { path: 'a.md' });
    const message = result.status === 'refused' ? result.message : '';
    expect(message).toMatch(/🙂…|…🙂/);
    expect(message).toBe(Buffer.from(message).toString());
  });

  test('a blank line too many is named as one', () => {
    const result = replace('x = f[1]\nstatus\n', 'x = f[1]\n\nstatus\nend', 'x = f[2]', { path: 'a.rb' });
    const message = result.status === 'refused' ? result.message : '';
    expect(message).toMatch(/yours: \(empty\)|yours: end/);
    expect(message.split('\n').length).toBeLessThan(15);
  });

  test.each([
    [
      'a plan of 250 lines',
      `${'- a line of the plan, with words enough to be long\n'.repeat(250)}`,
      `- a line of the plan, with words enough to be lonk\n${'x '.repeat(3_000)}`,
    ],
    [
      'one line of a megabyte',
      'const x = 1; '.repeat(80_000),
      `${'const x = 1; '.repeat(3)}const y = 2; ${'const x = 1; '.repeat(100)}`,
    ],
  ])('is under 1.5 kB for %s', (_name, text, old) => {
    const result = replace(text, old, 'new', { path: 'long.md' });
    expect(result.status).toBe('refused');
    expect(result.status === 'refused' ? result.message.length : 0).toBeLessThan(1_500);
  });

  test('a hunk of 480 lines of which one differs is answered at once and names that line', () => {
    const lines = Array.from({ length: 500 }, (_, at) => `  step(${at}, 'part of ${at * 7}');`);
    const old = lines.slice(10, 490).with(200, "  step(999, 'part of 1');").join('\n');
    const start = performance.now();
    const result = replace(lines.join('\n'), old, `${old}\ndone();`, { path: 'steps.js' });
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(result.status === 'refused' && result.message).toContain("211 yours: ··step(999,·'part·of·1');");
  });
});
