import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { openLogFile } from '../../src/workspace/local-log-file.ts';
import { until } from '../support/processes.ts';
import { makeProject } from '../support/project.ts';

test('a line that can wait is there in a moment, with the others, or when the log is closed or another is grave', async () => {
  const project = makeProject({});
  const log = openLogFile(project.path('emend.log'));
  log.append('one', 'soon');
  expect(existsSync(project.path('emend.log'))).toBe(false);
  log.append('two', 'now');
  expect(project.read('emend.log')).toBe('one\ntwo\n');
  log.append('three', 'soon');
  log.append('four', 'soon');
  await until(() => project.read('emend.log') === 'one\ntwo\nthree\nfour\n', 5000);
  expect(project.read('emend.log')).toBe('one\ntwo\nthree\nfour\n');
  log.append('five', 'soon');
  log.close();
  expect(project.read('emend.log')).toMatch(/\nfive\n$/);
});

test('what waits is written when the process ends', async () => {
  const project = makeProject({});
  const module = join(import.meta.dirname, '../../src/workspace/local-log-file.ts');
  const program = `import(${JSON.stringify(module)}).then(({ openLogFile }) => {
    openLogFile(${JSON.stringify(project.path('emend.log'))}).append('last', 'soon');
    process.exit(0);
  });`;
  await execa(process.execPath, ['--import', 'tsx', '--eval', program], { cwd: join(import.meta.dirname, '../..') });
  expect(project.read('emend.log')).toBe('last\n');
});

test('a grave line is there at once, for its owner alone', () => {
  const project = makeProject({});
  const log = openLogFile(project.path('emend.log'));
  expect(existsSync(project.path('emend.log'))).toBe(false);
  log.append('one', 'now');
  log.append('two', 'now');
  expect(project.read('emend.log')).toBe('one\ntwo\n');
  expect(statSync(project.path('emend.log')).mode & 0o777).toBe(0o600);
  log.close();
  log.append('three', 'now');
  expect(project.read('emend.log')).toBe('one\ntwo\n');
});

test('a full one is put away, and there are never more than two', () => {
  const project = makeProject({});
  const log = openLogFile(project.path('emend.log'), 100);
  for (let line = 0; line < 100; line += 1) log.append(String(line).padStart(19, '0'), 'now');
  const lines = [...project.read('emend.log.1').split('\n'), ...project.read('emend.log').split('\n')].filter(Boolean);
  expect(statSync(project.path('emend.log.1')).size).toBe(100);
  expect(lines.at(-1)).toBe('99'.padStart(19, '0'));
  expect(lines.map(Number)).toEqual(lines.map((_, index) => 100 - lines.length + index));
  expect(existsSync(project.path('emend.log.2'))).toBe(false);
  expect(statSync(project.path('emend.log')).mode & 0o777).toBe(0o600);
  log.close();
});

test('two that write to it lose no line, also when one puts it away', () => {
  const project = makeProject({});
  const [one, other] = [openLogFile(project.path('emend.log'), 100), openLogFile(project.path('emend.log'), 100)];
  for (let line = 0; line < 8; line += 1) {
    one.append(`one ${line}`.padEnd(19), 'now');
    other.append(`other ${line}`.padEnd(19), 'now');
  }
  const all = [project.path('emend.log.1'), project.path('emend.log')]
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
  expect(all.match(/^one/gm)).toHaveLength(8);
  expect(all.match(/^other/gm)).toHaveLength(8);
  one.close();
  other.close();
});

test('what can not be written stops nothing, and it is tried again', () => {
  const project = makeProject({});
  const log = openLogFile(project.path('gone/emend.log'));
  log.append('lost', 'now');
  mkdirSync(project.path('gone'));
  log.append('kept', 'now');
  expect(project.read('gone/emend.log')).toBe('kept\n');
  log.close();
});

test('a link in its place is not followed', () => {
  const project = makeProject({ victim: 'v' });
  symlinkSync(project.path('victim'), project.path('emend.log'));
  const log = openLogFile(project.path('emend.log'));
  log.append('x', 'now');
  expect(project.read('victim')).toBe('v');
  rmSync(project.path('emend.log'));
  writeFileSync(project.path('emend.log'), '');
  log.append('y', 'now');
  expect(project.read('emend.log')).toBe('y\n');
  log.close();
});
