import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyPatchTool } from '../../src/tools/apply-patch.ts';
import { readTool } from '../../src/tools/read.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';
import { textsOf } from '../support/tree.ts';

type Files = Readonly<Record<string, string>>;

let room: ToolRoom;
let count = 0;
beforeAll(async () => {
  room = await openToolRoom();
});
afterAll(() => room.close());

const v4a = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

/** Runs a patch in a folder of its own, whose name is put before each path of a V4A patch. */
async function patch(files: Files, input: string) {
  count += 1;
  const folder = `case-${count}`;
  await room.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text])));
  const inFolder = input
    .replace(/^(\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(?:\.\/)?/gm, `$1${folder}/`)
    .replace(/^((?:---|\+\+\+) [ab]\/)/gm, `$1${folder}/`)
    .replace(/^(rename (?:from|to) )/gm, `$1${folder}/`)
    .replace(/^diff --git a\/(\S+) b\/(\S+)$/gm, `diff --git a/${folder}/$1 b/${folder}/$2`);
  const result = await room.call(applyPatchTool, { input: inFolder });
  const text = result.text.replaceAll(`${folder}/`, '');
  const after = Object.entries(textsOf(room.folder)).filter(([name]) => name.startsWith(`${folder}/`));
  return { ...result, text, after: Object.fromEntries(after.map(([name, t]) => [name.slice(folder.length + 1), t])) };
}

const ABC = 'a\nb\nc\n';

describe('a patch of GPT models is made', () => {
  test.each<[string, Files, string, Files]>([
    ['a new file', {}, v4a('*** Add File: bar.md', '+This is a new file'), { 'bar.md': 'This is a new file\n' }],
    ['a new file in new folders', {}, v4a('*** Add File: a/b/c.txt', '+x'), { 'a/b/c.txt': 'x\n' }],
    [
      'a new file of several lines, an empty one among them',
      {},
      v4a('*** Add File: n', '+x', '+', '+y'),
      { n: 'x\n\ny\n' },
    ],
    ['a new file whose empty line lost its sign', {}, v4a('*** Add File: n', '+x', '', '+y'), { n: 'x\n\ny\n' }],
    ['an empty new file', {}, v4a('*** Add File: n'), { n: '' }],
    ['a file deleted', { a: ABC, b: 'x\n' }, v4a('*** Delete File: a'), { b: 'x\n' }],
    ['a line changed', { a: ABC }, v4a('*** Update File: a', '@@', ' a', '-b', '+B', ' c'), { a: 'a\nB\nc\n' }],
    ['a line changed without any other', { a: ABC }, v4a('*** Update File: a', '@@', '-b', '+B'), { a: 'a\nB\nc\n' }],
    ['the first hunk without @@', { a: ABC }, v4a('*** Update File: a', ' a', '-b', '+B'), { a: 'a\nB\nc\n' }],
    ['lines that only go', { a: ABC }, v4a('*** Update File: a', '@@', ' a', '-b', ' c'), { a: 'a\nc\n' }],
    ['lines that only come', { a: ABC }, v4a('*** Update File: a', '@@', ' a', '+a2', ' b'), { a: 'a\na2\nb\nc\n' }],
    ['the first line', { a: ABC }, v4a('*** Update File: a', '@@', '-a', '+A', ' b'), { a: 'A\nb\nc\n' }],
    ['the last line', { a: ABC }, v4a('*** Update File: a', '@@', ' b', '-c', '+C'), { a: 'a\nb\nC\n' }],
    ['all lines', { a: ABC }, v4a('*** Update File: a', '@@', '-a', '-b', '-c'), { a: '' }],
    [
      'several hunks of one file',
      { a: 'a\nb\nc\nd\ne\nf\n' },
      v4a('*** Update File: a', '@@', ' a', '-b', '+B', '@@', ' d', '-e', '+E'),
      { a: 'a\nB\nc\nd\nE\nf\n' },
    ],
    [
      'hunks next to each other',
      { a: 'a\nb\nc\nd\n' },
      v4a('*** Update File: a', '@@', '-a', '+A', '@@', '-b', '+B', '@@', '-d', '+D'),
      { a: 'A\nB\nc\nD\n' },
    ],
    [
      'several changes within one hunk',
      { a: 'a\nb\nc\nd\ne\n' },
      v4a('*** Update File: a', '@@', ' a', '-b', '+B', ' c', ' d', '-e', '+E'),
      { a: 'a\nB\nc\nd\nE\n' },
    ],
    [
      'lines that come, with no line around, at the end',
      { a: 'a\n' },
      v4a('*** Update File: a', '@@', '+b', '+c'),
      { a: 'a\nb\nc\n' },
    ],
    ['lines that come in an empty file', { a: '' }, v4a('*** Update File: a', '@@', '+b'), { a: 'b\n' }],
    [
      'lines that come below an @@ line',
      { a: 'def f():\n    pass\n\ndef g():\n    pass\n' },
      v4a('*** Update File: a', '@@ def f():', '+    x = 1'),
      { a: 'def f():\n    x = 1\n    pass\n\ndef g():\n    pass\n' },
    ],
    [
      'at the end of the file',
      { a: 'x\ny\nx\n' },
      v4a('*** Update File: a', '@@', '-x', '+z', '*** End of File'),
      { a: 'x\ny\nz\n' },
    ],
    [
      'more lines at the end of the file',
      { a: ABC },
      v4a('*** Update File: a', '@@', ' c', '+d', '*** End of File'),
      { a: 'a\nb\nc\nd\n' },
    ],
    [
      'an end-of-file hunk, then one of another file',
      { a: ABC, b: 'x\n' },
      v4a('*** Update File: a', '@@', '-c', '+C', '*** End of File', '*** Update File: b', '@@', '-x', '+y'),
      { a: 'a\nb\nC\n', b: 'y\n' },
    ],
    [
      'adding, updating and deleting at once',
      { m: 'line1\nline2\n', d: 'obsolete\n' },
      v4a(
        '*** Add File: nested/new.txt',
        '+created',
        '*** Delete File: d',
        '*** Update File: m',
        '@@',
        '-line2',
        '+changed',
      ),
      { 'nested/new.txt': 'created\n', m: 'line1\nchanged\n' },
    ],
    [
      'a move to a new folder with a change',
      { 'old/name': 'old content\n', 'old/other': 'x\n' },
      v4a('*** Update File: old/name', '*** Move to: renamed/dir/name', '@@', '-old content', '+new content'),
      { 'renamed/dir/name': 'new content\n', 'old/other': 'x\n' },
    ],
    ['a move alone', { a: ABC }, v4a('*** Update File: a', '*** Move to: b'), { b: ABC }],
    [
      'blanks around the markers',
      { a: ABC },
      ` *** Begin Patch \n  *** Update File: a  \n@@\n-b\n+B\n *** End Patch  `,
      { a: 'a\nB\nc\n' },
    ],
    [
      'newlines around the patch',
      { a: ABC },
      `\n\n${v4a('*** Update File: a', '@@', '-b', '+B')}\n\n`,
      { a: 'a\nB\nc\n' },
    ],
    [
      'a here-document around it',
      { a: ABC },
      `<<'EOF'\n${v4a('*** Update File: a', '@@', '-b', '+B')}\nEOF\n`,
      { a: 'a\nB\nc\n' },
    ],
    [
      'a shell command around it',
      { a: ABC },
      `apply_patch <<"PATCH"\n${v4a('*** Update File: a', '@@', '-b', '+B')}\nPATCH`,
      { a: 'a\nB\nc\n' },
    ],
    [
      'a fence around it',
      { a: ABC },
      `\`\`\`patch\n${v4a('*** Update File: a', '@@', '-b', '+B')}\n\`\`\`\n`,
      { a: 'a\nB\nc\n' },
    ],
    [
      'CRLF in the patch, LF in the file',
      { a: ABC },
      v4a('*** Update File: a', '@@', ' a', '-b', '+B').replaceAll('\n', '\r\n'),
      { a: 'a\nB\nc\n' },
    ],
    [
      'characters beyond ASCII',
      { a: 'naïve café\n🙂\n' },
      v4a('*** Update File: a', '@@', '-naïve café', '+naïve café ✅', ' 🙂'),
      { a: 'naïve café ✅\n🙂\n' },
    ],
    [
      'look-alike dashes in what stays',
      { a: 'import asyncio  # local import – avoids top\u2011level dep\nx = 1\ny = 2\n' },
      v4a(
        '*** Update File: a',
        '@@',
        ' import asyncio  # local import - avoids top-level dep',
        '-x = 1',
        '+x = 2',
        ' y = 2',
      ),
      { a: 'import asyncio  # local import – avoids top\u2011level dep\nx = 2\ny = 2\n' },
    ],
    [
      'blanks at the ends of lines that stay',
      { a: 'alpha();  \nbeta();\ngamma();\n' },
      v4a('*** Update File: a', '@@', ' alpha();', '-beta();', '+delta();', ' gamma();'),
      { a: 'alpha();  \ndelta();\ngamma();\n' },
    ],
    [
      'lost indentation',
      { a: 'class A:\n    def run(self):\n        value = 1\n        return value\n' },
      v4a('*** Update File: a', '@@', ' def run(self):', '-    value = 1', '+    value = 2', '     return value'),
      { a: 'class A:\n    def run(self):\n        value = 2\n        return value\n' },
    ],
    [
      'a file without a last newline keeps none',
      { a: 'one\ntwo' },
      v4a('*** Update File: a', '@@', ' one', '-two', '+TWO'),
      { a: 'one\nTWO' },
    ],
    [
      'lines after one without a newline',
      { a: 'one\ntwo' },
      v4a('*** Update File: a', '@@', ' two', '+three', '*** End of File'),
      { a: 'one\ntwo\nthree' },
    ],
    [
      'a bare empty line stays',
      { a: 'a\n\nb\n' },
      v4a('*** Update File: a', '@@', ' a', '', '-b', '+c'),
      { a: 'a\n\nc\n' },
    ],
    [
      'a bare empty line that parts two hunks',
      { a: 'a\nb\nc\nd\n' },
      v4a('*** Update File: a', '@@', '-a', '+A', '', '@@', '-d', '+D', ''),
      { a: 'A\nb\nc\nD\n' },
    ],
    [
      'a bare empty line that parts two files',
      { a: ABC, b: ABC },
      v4a('*** Update File: a', '@@', '-a', '+A', '', '*** Update File: b', '@@', '-c', '+C'),
      { a: 'A\nb\nc\n', b: 'a\nb\nC\n' },
    ],
    [
      '@@ with a class, then a method',
      { a: 'class A:\n    def run(self):\n        n = 1\n\nclass B:\n    def run(self):\n        n = 1\n' },
      v4a('*** Update File: a', '@@ class B:', '@@     def run(self):', '-        n = 1', '+        n = 2'),
      { a: 'class A:\n    def run(self):\n        n = 1\n\nclass B:\n    def run(self):\n        n = 2\n' },
    ],
    [
      '@@ with the first of two',
      { a: 'class A:\n    def run(self):\n        n = 1\n\nclass B:\n    def run(self):\n        n = 1\n' },
      v4a('*** Update File: a', '@@ class A:', '-        n = 1', '+        n = 2'),
      { a: 'class A:\n    def run(self):\n        n = 2\n\nclass B:\n    def run(self):\n        n = 1\n' },
    ],
    [
      '@@ with the start of its line',
      { a: 'class A(Base):\n    n = 1\nclass B(Base):\n    n = 1\n' },
      v4a('*** Update File: a', '@@ class B', '-    n = 1', '+    n = 2'),
      { a: 'class A(Base):\n    n = 1\nclass B(Base):\n    n = 2\n' },
    ],
    ['@@ on both sides of its line', { a: ABC }, v4a('*** Update File: a', '@@ a @@', '-b', '+B'), { a: 'a\nB\nc\n' }],
    [
      'line numbers in @@, as a diff has them',
      { a: 'x\ny\nx\ny\n' },
      v4a('*** Update File: a', '@@ -3,2 +3,2 @@', '-x', '+X', ' y'),
      { a: 'x\ny\nX\ny\n' },
    ],
    [
      'a line of the file that looks like a marker',
      { a: 'x\n*** End Patch\ny\n' },
      v4a('*** Update File: a', '@@', ' x', ' *** End Patch', '-y', '+Y'),
      { a: 'x\n*** End Patch\nY\n' },
    ],
    [
      'a line that begins with a sign',
      { a: '- item\n+ plus\n' },
      v4a('*** Update File: a', '@@', '-- item', '+- other', ' + plus'),
      { a: '- other\n+ plus\n' },
    ],
    [
      'two parts of one file',
      { a: ABC },
      v4a('*** Update File: a', '@@', '-a', '+A', '*** Update File: a', '@@', '-c', '+C'),
      { a: 'A\nb\nC\n' },
    ],
    [
      'a file that is added and then updated',
      {},
      v4a('*** Add File: n', '+one', '+two', '*** Update File: n', '@@', '-two', '+2'),
      { n: 'one\n2\n' },
    ],
    [
      'a file that is deleted and added anew',
      { a: ABC },
      v4a('*** Delete File: a', '*** Add File: a', '+new'),
      { a: 'new\n' },
    ],
    [
      'a move, and a new file under the old name',
      { a: ABC },
      v4a('*** Update File: a', '*** Move to: b', '@@', '-b', '+B', '*** Add File: a', '+new'),
      { a: 'new\n', b: 'a\nB\nc\n' },
    ],
    [
      'a move to a name that the patch has freed',
      { a: ABC, b: 'old\n' },
      v4a('*** Delete File: b', '*** Update File: a', '*** Move to: b'),
      { b: ABC },
    ],
    [
      'lines that come at the end, with no line around and its mark',
      { a: ABC },
      v4a('*** Update File: a', '@@', '+d', '*** End of File'),
      { a: 'a\nb\nc\nd\n' },
    ],
    [
      'the other name of the command around it',
      { a: ABC },
      `applypatch <<'EOF'\n${v4a('*** Update File: a', '@@', '-b', '+B')}\nEOF`,
      { a: 'a\nB\nc\n' },
    ],
    [
      'several files of each kind, moved and changed ones among them',
      { old: 'x\n', m: ABC, 'from/n': 'fn run() {\n    old();\n}\n' },
      v4a(
        ...['*** Add File: one', '+1', '*** Update File: m', '@@ a', '-b', '+B', '*** Delete File: old'],
        ...['*** Update File: from/n', '*** Move to: to/n', '@@ fn run() {', '-    old();', '+    now();'],
        ...['*** Add File: two', '+{', '+  "k": 2', '+}'],
      ),
      { one: '1\n', m: 'a\nB\nc\n', 'to/n': 'fn run() {\n    now();\n}\n', two: '{\n  "k": 2\n}\n' },
    ],
    [
      'a blank line after the last hunk',
      { a: ABC },
      v4a('*** Update File: a', '@@', ' b', '-c', '+C', ''),
      { a: 'a\nb\nC\n' },
    ],
    [
      'first and last line at once',
      { a: ABC },
      v4a('*** Update File: a', '@@', '-a', '+A', ' b', '-c', '+C'),
      { a: 'A\nb\nC\n' },
    ],
    [
      'a whole line, not a part of one',
      { a: 'food\nfoo\n' },
      v4a('*** Update File: a', '@@', '-foo', '+bar'),
      { a: 'food\nbar\n' },
    ],
  ])('%s', async (_what, files, input, expected) => {
    const { text, ok, after } = await patch(files, input);
    expect({ text: ok ? '' : text, after }).toEqual({ text: '', after: expected });
  });

  test.each([
    ['CRLF', '\ufeffalpha\r\nbeta\r\ngamma\r\n', '\ufeffalpha\r\nBETA\r\nbeta2\r\ngamma\r\n'],
    ['CR', 'alpha\rbeta\rgamma\r', 'alpha\rBETA\rbeta2\rgamma\r'],
    ['mixed line ends', 'alpha\r\nbeta\ngamma', 'alpha\r\nBETA\nbeta2\ngamma'],
    ['a byte order mark', '\ufeffalpha\nbeta\ngamma\n', '\ufeffalpha\nBETA\nbeta2\ngamma\n'],
  ])('new lines end as those around them, and nothing else changes: %s', async (_what, before, expected) => {
    const input = v4a('*** Update File: w', '@@', ' alpha', '-beta', '+BETA', '+beta2', ' gamma');
    expect((await patch({ w: before }, input)).after).toEqual({ w: expected });
  });
});

describe('a patch is refused whole, with what is wrong', () => {
  const TWO_CLASSES = 'class A:\n    n = 1\nclass B:\n    n = 1\n';
  test.each<[string, Files, string, string, RegExp]>([
    ['an empty text', { a: ABC }, '', 'invalid_arguments', /it is empty/],
    ['no beginning', { a: ABC }, 'bad', 'invalid_arguments', /first line is "bad".*\*\*\* Begin Patch/],
    [
      'no end',
      { a: ABC },
      '*** Begin Patch\n*** Update File: a\n@@\n-b\n+B',
      'invalid_arguments',
      /last line is "\+B".*was cut/,
    ],
    [
      'a change of folders before it, which would make its paths others',
      { a: ABC },
      `cd sub && apply_patch <<'EOF'\n${v4a('*** Update File: a', '@@', '-b', '+B')}\nEOF`,
      'invalid_arguments',
      /first line is "cd sub && apply_patch/,
    ],
    ['nothing in it', { a: ABC }, v4a(), 'invalid_arguments', /nothing between/],
    [
      'a file without hunks',
      { a: ABC },
      v4a('*** Update File: a'),
      'invalid_arguments',
      /line 2 of the patch.*no hunk/,
    ],
    [
      'a hunk without lines',
      { a: ABC },
      v4a('*** Update File: a', '@@'),
      'invalid_arguments',
      /line 3 of the patch.*without lines/,
    ],
    [
      'a hunk that is only its end',
      { a: ABC },
      v4a('*** Update File: a', '@@', '*** End of File'),
      'invalid_arguments',
      /without lines/,
    ],
    [
      'hunks that change nothing',
      { a: ABC },
      v4a('*** Update File: a', '@@', ' a', ' b'),
      'identical',
      /no - and no \+ line for a/,
    ],
    [
      'a line that goes and comes',
      { a: ABC },
      v4a('*** Update File: a', '@@', '-b', '+b'),
      'identical',
      /leaves a as it is/,
    ],
    [
      'an unknown header',
      { a: ABC },
      v4a('*** Rename File: a'),
      'invalid_arguments',
      /line 2 of the patch, "\*\*\* Rename File: .*begins no file/,
    ],
    [
      'an unknown line in a hunk',
      { a: ABC },
      v4a('*** Update File: a', '@@', '-b', '+B', 'oops'),
      'invalid_arguments',
      /line 6 of the patch, "oops"/,
    ],
    [
      'an unknown line in a new file',
      {},
      v4a('*** Add File: n', '+x', 'oops'),
      'invalid_arguments',
      /every line begins with \+/,
    ],
    [
      'lines after the end of the file',
      { a: ABC },
      v4a('*** Update File: a', '@@', '-c', '+C', '*** End of File', '+d'),
      'invalid_arguments',
      /begins no hunk/,
    ],
    ['a file that is not there', {}, v4a('*** Update File: gone', '@@', '-b', '+B'), 'not_found', /gone/],
    ['a deleted file that is not there', { a: ABC }, v4a('*** Delete File: gone'), 'not_found', /gone/],
    ['a folder to delete', { 'dir/a': ABC }, v4a('*** Delete File: dir'), 'is_directory', /dir/],
    ['a new file over one that is there', { a: ABC }, v4a('*** Add File: a', '+x'), 'exists', /a is there already/],
    [
      'a move onto one that is there',
      { a: ABC, b: 'x\n' },
      v4a('*** Update File: a', '*** Move to: b', '@@', '-b', '+B'),
      'exists',
      /b is there already/,
    ],
    [
      'a move onto itself and no more',
      { a: ABC },
      v4a('*** Update File: a', '*** Move to: ./a'),
      'identical',
      /moved onto itself\. Nothing to do/,
    ],
    [
      'a move onto itself with a change',
      { a: ABC },
      v4a('*** Update File: a', '*** Move to: ./a', '@@', '-b', '+B'),
      'identical',
      /moved onto itself\. Leave "\*\*\* Move to" out to edit it where it is/,
    ],
    [
      'lines that are not there',
      { a: ABC },
      v4a('*** Update File: a', '@@', '-something else', '+x'),
      'no_match',
      /hunk's lines are not in a/,
    ],
    [
      'lines in two places',
      { a: 'x = 1\ny\nx = 1\n' },
      v4a('*** Update File: a', '@@', '-x = 1', '+x = 2'),
      'ambiguous',
      /2 places fit the hunk's lines in a: L1, L3.*@@ line/,
    ],
    [
      'an @@ line that is not there',
      { a: TWO_CLASSES },
      v4a('*** Update File: a', '@@ class C:', '-    n = 1', '+    n = 2'),
      'no_match',
      /"@@ class C:" is no line of a/,
    ],
    [
      'lines that are above their @@ line',
      { a: 'n = 1\nclass A:\n    m = 1\n' },
      v4a('*** Update File: a', '@@ class A:', '-n = 1', '+n = 2'),
      'no_match',
      /L1 of a, not below "@@ class A:" \(L2\)/,
    ],
    [
      'hunks in the wrong order',
      { a: 'a\nb\nc\nd\n' },
      v4a('*** Update File: a', '@@', '-d', '+D', '@@', '-a', '+A'),
      'conflict',
      /hunk 2 of 2 \(a\): its lines are at L1.*order of the file/,
    ],
    [
      'lines for the end of the file, then a hunk above it',
      { a: ABC },
      v4a('*** Update File: a', '@@', '+d', '@@', ' a', '-b', '-c', '+B'),
      'conflict',
      /hunk 2 of 2 \(a\): its lines are at L1.*order of the file/,
    ],
    [
      'what a hunk changes that one before it wrote',
      { a: 'first line\nb\nc\n' },
      v4a('*** Update File: a', '@@', '-first line', '+second thing', '@@', '-second thing', '+third words'),
      'no_match',
      /hunk 2 of 2/,
    ],
    [
      'another file of the patch that does not fit',
      { one: 'x\n', two: ABC },
      v4a('*** Delete File: one', '*** Update File: two', '@@', '-stale line', '+x'),
      'no_match',
      /No file was changed\. .*two/,
    ],
    [
      'a new file, then one that is not there',
      {},
      v4a('*** Add File: created', '+x', '*** Update File: missing', '@@', '-a', '+b'),
      'not_found',
      /No file was changed/,
    ],
    [
      'a path outside',
      { a: ABC },
      '*** Begin Patch\n*** Add File: ../../../outside.txt\n+x\n*** End Patch',
      'denied',
      /outside/,
    ],
    [
      'a file deleted twice',
      { a: ABC },
      v4a('*** Delete File: a', '*** Delete File: a'),
      'not_found',
      /any more after an earlier part/,
    ],
    [
      'a file added and deleted',
      {},
      v4a('*** Add File: a', '+x', '*** Delete File: a'),
      'identical',
      /^Error identical: No file was changed\. After all parts of the patch a is as before\. Nothing to do\.$/,
    ],
    [
      'lines that go, with none that stay below, and are not there',
      { a: ABC },
      v4a('*** Update File: a', '@@', ' c', '-gone and lost'),
      'no_match',
      /the hunk's lines are not in a \(3 lines\)/,
    ],
    [
      'few characters',
      { a: ABC },
      v4a('*** Update File: a', '@@', '-z', '+y'),
      'too_short',
      /^Error too_short: the hunk's kept and - lines have under 5 characters and are not in a as they stand\. /,
    ],
    [
      'a mark for what was left out',
      { a: ABC },
      v4a('*** Update File: a', '@@', ' a', '-b', '+// ... existing code ...', ' c'),
      'elision',
      /^Error elision: a: the hunk's \+ lines have "/,
    ],
    [
      'what is there already',
      { a: 'def f():\n    return 2\n' },
      v4a('*** Update File: a', '@@', ' def f():', '-    return 1', '+    return 2'),
      'already_applied',
      /^Error already_applied: a: the hunk's kept and \+ lines are already at L1-2 and its - lines are gone\. /,
    ],
    [
      'a folder where a file is that goes',
      { a: ABC },
      v4a('*** Delete File: a', '*** Add File: a/b/c', '+x'),
      'conflict',
      /No file was changed\. a\/b\/c needs a folder where a is a file until the change is done\. Take a away in a call of its own first\.$/,
    ],
    [
      'a file moved below its own name',
      { a: ABC },
      v4a('*** Update File: a', '*** Move to: a/b'),
      'conflict',
      /a\/b needs a folder where a is a file until the change is done\./,
    ],
    [
      'a new file below one that stays',
      { a: ABC },
      v4a('*** Add File: a/b', '+x'),
      'not_found',
      / is a file, not a folder\. Name another place, or move that file away first/,
    ],
  ])('%s', async (_what, files, input, code, message) => {
    const { ok, text, receipt, after } = await patch(files, input);
    expect(text).toMatch(new RegExp(`^Error ${code}: `));
    expect(text).toMatch(message);
    expect({ ok, code: receipt.code, files: receipt.files }).toEqual({ ok: false, code, files: [] });
    expect(after).toEqual(files);
  });
});

test.each(['a\nb\nc', 'a\nb\nc\n', 'a\r\nb\r\nc'])(
  'lines come at an end that the session knows, be it ended or not: %j',
  async (before) => {
    await room.write({ 'end/a': before });
    expect(await room.call(readTool, { file_path: 'end/a' })).toMatchObject({ ok: true });
    const input = v4a('*** Update File: end/a', '@@', ' c', '+d');
    expect((await room.call(applyPatchTool, { input })).text).toMatch(/^Edited end\/a/);
    const ending = before.includes('\r') ? '\r\n' : '\n';
    const last = before.endsWith('\n') ? '\n' : '';
    expect(textsOf(room.folder)['end/a']).toBe(['a', 'b', 'c', 'd'].join(ending) + last);
  },
);

test('absolute paths inside the root are the same files', async () => {
  await room.write({ 'abs/a': ABC });
  const input = v4a(
    `*** Update File: ${room.folder}/abs/a`,
    '@@',
    '-b',
    '+B',
    `*** Add File: ${room.folder}/abs/n`,
    '+n',
  );
  expect(await room.call(applyPatchTool, { input })).toMatchObject({ ok: true });
  const after = Object.entries(textsOf(room.folder)).filter(([name]) => name.startsWith('abs/'));
  expect(Object.fromEntries(after)).toEqual({ 'abs/a': 'a\nB\nc\n', 'abs/n': 'n\n' });
});

test('a header without a path is refused', async () => {
  const result = await room.call(applyPatchTool, { input: '*** Begin Patch\n*** Delete File: \n*** End Patch' });
  expect(result.text).toMatch(/^Error invalid_arguments: the patch: line 2 .* names no file/);
});

describe('unified and git diffs are made', () => {
  const GIT_MOVE = `diff --git a/x b/y
similarity index 90%
rename from x
rename to y
index 1..2 100644
--- a/x
+++ b/y
@@ -1,3 +1,3 @@
 a
-b
+B
 c
`;
  test.each<[string, Files, string, Files]>([
    ['a unified diff', { x: ABC }, '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n', { x: 'a\nB\nc\n' }],
    [
      'wrong counts in its header',
      { x: ABC },
      '--- a/x\n+++ b/x\n@@ -1,9 +1,2 @@\n a\n-b\n+B\n c\n',
      { x: 'a\nB\nc\n' },
    ],
    [
      'lines that moved since, by other lines above',
      { x: `new\nnewer\n${ABC}` },
      '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n',
      { x: 'new\nnewer\na\nB\nc\n' },
    ],
    [
      'one of two places, by its line number',
      { x: 'k\nb\nk\n\nk\nb\nk\n' },
      '--- a/x\n+++ b/x\n@@ -5,3 +5,3 @@\n k\n-b\n+B\n k\n',
      { x: 'k\nb\nk\n\nk\nB\nk\n' },
    ],
    [
      'one of two places, by what the hunk before it was off by',
      { x: 'new\nhead\nk\nb\nk\n\nk\nb\nk\n' },
      '--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-head\n+HEAD\n@@ -6,3 +6,3 @@\n k\n-b\n+B\n k\n',
      { x: 'new\nHEAD\nk\nb\nk\n\nk\nB\nk\n' },
    ],
    ['a git move with a change', { x: ABC }, GIT_MOVE, { y: 'a\nB\nc\n' }],
    [
      'a git move alone',
      { x: ABC },
      'diff --git a/x b/sub/y\nsimilarity index 100%\nrename from x\nrename to sub/y\n',
      { 'sub/y': ABC },
    ],
    [
      'a new file without a last newline',
      {},
      'diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+hi\n\\ No newline at end of file\n',
      { n: 'hi' },
    ],
    [
      'an empty new file, and an empty one that goes, beside one that changes',
      { x: ABC, gone: '' },
      'diff --git a/e b/sub/e\nnew file mode 100644\nindex 0000000..e69de29\n' +
        'diff --git a/gone b/gone\ndeleted file mode 100644\nindex e69de29..0000000\n' +
        'diff --git a/x b/x\nindex de98044..d68dd40 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n',
      { 'sub/e': '', x: 'a\nB\nc\n' },
    ],
    [
      'a file deleted',
      { x: ABC, y: 'y\n' },
      'diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-a\n-b\n-c\n',
      { y: 'y\n' },
    ],
    [
      'a last newline that comes',
      { x: 'a\nb' },
      '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n',
      { x: 'a\nb\n' },
    ],
    [
      'a last newline that goes',
      { x: 'a\nb\n' },
      '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n',
      { x: 'a\nb' },
    ],
    [
      'CRLF, in the diff and in the file',
      { x: 'a\r\nb\r\nc\r\n' },
      '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\r\n-b\r\n+B\r\n c\r\n',
      { x: 'a\r\nB\r\nc\r\n' },
    ],
  ])('%s', async (_what, files, input, expected) => {
    const { text, ok, after } = await patch(files, input);
    expect({ text: ok ? '' : text, after }).toEqual({ text: '', after: expected });
  });

  test.each<[string, Files, string, string, RegExp]>([
    [
      'lines that come, with none around them',
      { x: ABC },
      '--- a/x\n+++ b/x\n@@ -50,0 +51,1 @@\n+new\n',
      'no_match',
      /x has 3 lines/,
    ],
    [
      'a deleted file that has other lines by now',
      { x: 'a\nother\nc\n' },
      'diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-a\n-b\n-c\n',
      'no_match',
      /other lines.*L2/,
    ],
    [
      'two places, neither where the diff says',
      { x: 'new\nk\nb\nk\n\nk\nb\nk\n' },
      '--- a/x\n+++ b/x\n@@ -5,3 +5,3 @@\n k\n-b\n+B\n k\n',
      'ambiguous',
      /L2, L6/,
    ],
    ['a binary file', { x: ABC }, 'diff --git a/x b/x\nGIT binary patch\nliteral 0\n', 'invalid_arguments', /binary/],
    [
      'another mode',
      { x: ABC },
      'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n',
      'invalid_arguments',
      /x would change its mode from 100644 to 100755, .*Leave the mode lines out, and chmod 755 it with Bash/,
    ],
    [
      'a diff that deletes an empty file, where it is not',
      { x: ABC },
      'diff --git a/x b/x\ndeleted file mode 100644\nindex e69de29..0000000\n',
      'no_match',
      /x has 3 lines, and the diff deletes an empty file\. Show its lines with -, or send "\*\*\* Delete File: x"/,
    ],
    [
      'an empty new file where one is',
      { x: ABC },
      'diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n',
      'exists',
      /x is there already/,
    ],
    [
      'a file without hunks',
      { x: ABC },
      'diff --git a/x b/x\nindex 1234567..89abcde 100644\n',
      'invalid_arguments',
      /x has no hunk\. Give the lines that change/,
    ],
  ])('or refused: %s', async (_what, files, input, code, message) => {
    const { ok, text, after } = await patch(files, input);
    expect(text).toMatch(new RegExp(`^Error ${code}: `));
    expect(text).toMatch(message);
    expect(ok).toBe(false);
    expect(after).toEqual(files);
  });
});
