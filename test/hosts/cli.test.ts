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
    ['an unknown tool ends with 2', ['Erase', '{}'], 2, /^$/, /no tool "Erase"\. There are Read, Edit/],
    ['broken JSON ends with 2', ['Edit', '{"file_path":'], 2, /^$/, /the arguments are not JSON: "\{\\"file_path\\":"/],
    ['an argument file that is not there ends with 2', ['Edit', '@/nowhere.json'], 2, /^$/, /@\/nowhere\.json/],
    ['an unknown option ends with 2', ['Read', '{}', '--frobnicate'], 2, /^$/, /--frobnicate/],
    [
      'a bad value of an option ends with 2',
      ['Read', '{"file_path":"a.txt"}', '--snippet', 'maybe'],
      2,
      /^$/,
      /--snippet maybe/,
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

test('emend --help lists the commands, --version says the version', async () => {
  const help = await emend(['--help']);
  expect(help.stdout).toMatch(/call[\s\S]*mcp[\s\S]*doctor[\s\S]*demo/);
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
