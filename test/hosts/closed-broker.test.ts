import { expect, test } from 'vitest';
import { createBroker } from '../../src/index.ts';
import { makeProject } from '../support/project.ts';

test.each([
  ['Read', { file_path: 'a.txt' }],
  ['Write', { file_path: 'a.txt', content: 'beta\n' }],
  ['Glob', { pattern: '*' }],
  ['Bash', { command: 'echo beta > a.txt' }],
])('after close %s is refused and does nothing', async (tool, args) => {
  const project = makeProject({ 'a.txt': 'alpha\n' });
  const broker = await createBroker({ root: project.root });
  await broker.close();
  expect(await broker.call(tool, args)).toMatchObject({
    ok: false,
    text: 'Error unavailable: this broker is closed; nothing was run. Create another one.',
    receipt: { tool, code: 'unavailable', files: [] },
  });
  expect(project.read('a.txt')).toBe('alpha\n');
});

test('close ends a command that nobody waits for any more, and its call says so', async () => {
  const project = makeProject({ 'a.txt': 'alpha\n', pid: '' });
  const broker = await createBroker({ root: project.root });
  const call = broker.call('Bash', { command: 'echo $$ > pid; sleep 60; echo late > a.txt' });
  await expect.poll(() => project.read('pid').trim()).toMatch(/^\d+$/);
  await broker.close();
  expect(await call).toMatchObject({ ok: false, receipt: { tool: 'Bash', code: 'cancelled' } });
  expect(() => process.kill(Number(project.read('pid')), 0)).toThrow('ESRCH');
  expect(project.read('a.txt')).toBe('alpha\n');
});

test('close lets a call that had changed a file tell of it', async () => {
  const project = makeProject({ 'a.ts': 'export const a = 1;\n' });
  const broker = await createBroker({ root: project.root });
  const call = broker.call('Edit', { file_path: 'a.ts', old_string: '1', new_string: '2' });
  await expect.poll(() => project.read('a.ts')).toBe('export const a = 2;\n');
  await broker.close();
  expect(await call).toMatchObject({ ok: true, receipt: { files: [{ path: 'a.ts' }] } });
});
