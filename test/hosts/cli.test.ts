import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { makeProject } from '../support/project.ts';

const CLI = join(import.meta.dirname, '../../dist/hosts/cli.js');

function emend(args: readonly string[], input = '') {
  return execa(process.execPath, [CLI, ...args], { input, reject: false });
}

describe('emend call', () => {
  test('prints the text that a model would read, and ends with 0', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const args = JSON.stringify({ file_path: 'a.txt', old_string: 'alpha', new_string: 'beta' });
    const { stdout, exitCode } = await emend(['call', 'Edit', args, '--root', project.root, '--in-process']);
    expect(stdout).toMatch(/^Edited a\.txt \(\+1 -1\) L1 \[e1\]\n1-alpha\n1\+beta$/);
    expect(exitCode).toBe(0);
    expect(project.read('a.txt')).toBe('beta\n');
  });

  test('an optional tool is there where it is named, unless --tools leaves it out', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const options = ['--root', project.root, '--in-process'];
    const input = '*** Begin Patch\n*** Update File: a.txt\n@@\n-alpha\n+beta\n*** End Patch';
    const patched = await emend(['call', 'apply_patch', '-', ...options], JSON.stringify({ input }));
    expect(patched).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Edited a\.txt .*\[e1\]/) });
    const refused = await emend(['call', 'Undo', '{"id":"e1"}', '--tools', 'Read', ...options]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: 'emend: no tool "Undo". There are Read.' });
    expect(await emend(['call', 'Undo', '{"id":"e1"}', ...options])).toMatchObject({ exitCode: 0 });
    expect(project.read('a.txt')).toBe('alpha\n');
  });

  test('reads the arguments from standard input and from a file, and prints one JSON line', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const read = JSON.stringify({ file_path: 'a.txt' });
    writeFileSync(project.path('args.json'), read);
    const options = ['--root', project.root, '--in-process', '--json'];
    for (const run of [
      emend(['call', 'Read', '-', ...options], read),
      emend(['call', 'Read', `@${project.path('args.json')}`, ...options]),
    ]) {
      const { stdout, exitCode } = await run;
      expect(stdout.split('\n')).toHaveLength(1);
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, receipt: { tool: 'Read', ok: true } });
      expect(exitCode).toBe(0);
    }
  });

  test.each([
    [
      'a refused edit ends with 1',
      ['Edit', '{"file_path":"a.txt","old_string":"zeta eta","new_string":"x"}'],
      1,
      /^Error no_match: /,
      /^$/,
    ],
    ['a missing file ends with 1', ['Read', '{"file_path":"b.txt"}'], 1, /^Error not_found: /, /^$/],
    ['an empty model ends with 2', ['Read', '{}', '--model', ''], 2, /^$/, /--model "" is empty\. Give the id/],
    ['an unknown tool ends with 2', ['Erase', '{}'], 2, /^$/, /no tool "Erase"\. There are Read, Edit/],
    [
      'JSON that is nested deeply ends with 2',
      ['Read', `{"file_path":${'['.repeat(9000)}${']'.repeat(9000)}}`],
      2,
      /^$/,
      /the arguments are nested too deeply\. Give one JSON object/,
    ],
    ['broken JSON ends with 2', ['Edit', '{"file_path":'], 2, /^$/, /the arguments are not JSON: "\{\\"file_path\\":"/],
    [
      'an argument file that is not there ends with 2',
      ['Edit', '@/nowhere.json'],
      2,
      /^$/,
      /@\/nowhere\.json: there is no such file .*; or give/,
    ],
    ['an unknown option ends with 2', ['Read', '{}', '--frobnicate'], 2, /^$/, /--frobnicate/],
    [
      'a bad value of an option ends with 2',
      ['Read', '{"file_path":"a.txt"}', '--snippet', 'maybe'],
      2,
      /^$/,
      /--snippet "maybe" is none of always, tolerant, never/,
    ],
    [
      'a number that is none ends with 2',
      ['Read', '{"file_path":"a.txt"}', '--wait-cold', 'abc'],
      2,
      /^$/,
      /^emend: --wait-cold "abc" is not a number of milliseconds from 0 to 86400000/,
    ],
    ['a tool in another case is known', ['edit', '{}'], 2, /^$/, /no tool "edit"\. Did you mean Edit\? There are/],
    [
      'arguments that a tool does not take end with 1',
      ['Edit', '{"file":1}'],
      1,
      /^Error invalid_arguments: Edit: /,
      /^$/,
    ],
    [
      'no edits at all end with 1',
      ['MultiEdit', '{"edits":[]}'],
      1,
      /^Error invalid_arguments: MultiEdit: edits is \[\], and takes at least 1 item\./,
      /^$/,
    ],
  ])('%s, and nothing is changed', async (_what, args, status, out, err) => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const before = project.hash();
    const { stdout, stderr, exitCode } = await emend(['call', ...args, '--root', project.root, '--in-process']);
    expect(stdout).toMatch(out);
    expect(stderr).toMatch(err);
    expect(exitCode).toBe(status);
    expect(project.hash()).toBe(before);
  });
});

test.each([
  ['an unknown tool', ['call', 'Erase', '{}'], /^no tool "Erase"/],
  ['broken JSON', ['call', 'Edit', '{'], /^the arguments are not JSON/],
  ['an unknown option', ['call', 'Read', '{}', '--frobnicate'], /^unknown option '--frobnicate'/],
  ['a missing argument', ['call', 'Read'], /^missing required argument/],
  ['a root that is not there', ['call', 'Read', '{}', '--root', '/nowhere'], /^the root \/nowhere is not a folder/],
])('with --json, %s is one JSON line too, and ends with 2', async (_what, args, message) => {
  const { stdout, exitCode } = await emend([...args, '--json', '--in-process']);
  expect(stdout.split('\n')).toHaveLength(1);
  const { ok, text } = JSON.parse(stdout) as { readonly ok: boolean; readonly text: string };
  expect(ok).toBe(false);
  expect(text).toMatch(message);
  expect(exitCode).toBe(2);
});

test('a command that lacks an argument names the help that has it', async () => {
  const { stderr, exitCode } = await emend(['call']);
  expect(stderr).toMatch(/missing required argument 'tool'[\s\S]*\(emend call --help has its arguments/);
  expect(exitCode).toBe(2);
});

test('a tool that is given as a command is told apart from a slip of the pen', async () => {
  const tool = await emend(['edit', '{}']);
  expect(tool.stderr).toMatch(/unknown command 'edit'[\s\S]*\(Edit is a tool: emend call Edit JSON\)/);
  expect(tool.exitCode).toBe(2);
  const slip = await emend(['Doctro']);
  expect(slip.stderr).toMatch(/Did you mean doctor\?/i);
  expect(slip.exitCode).toBe(2);
});

test('emend --help lists the commands, --version says the version', async () => {
  const help = await emend(['--help']);
  expect(help.stdout).toMatch(/call[\s\S]*mcp[\s\S]*doctor[\s\S]*demo/);
  expect(help.stdout).toMatch(/2 {2}the call itself is wrong: .*; nothing was run/);
  expect(help.exitCode).toBe(0);
  const { stdout } = await emend(['--version']);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+$/);
});

test('emend doctor says which server serves which language here', async () => {
  const project = makeProject({ 'tsconfig.json': '{}', 'a.py': '' });
  const { stdout, exitCode } = await emend(['doctor', '--root', project.root]);
  expect(stdout).toMatch(/typescript[\s\S]*7\.0\.2/);
  expect(stdout).toMatch(/pyright[\s\S]*1\.1\.414/);
  expect(exitCode).toBe(0);
});

test('emend doctor does not call a file that is not there served', async () => {
  const project = makeProject({ 'tsconfig.json': '{}' });
  const { stdout, stderr, exitCode } = await emend(['doctor', 'gone.ts', '--root', project.root]);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^emend: gone\.ts is not there \(.*\/gone\.ts\)\. Name a file that exists/);
  expect(exitCode).toBe(2);
});
