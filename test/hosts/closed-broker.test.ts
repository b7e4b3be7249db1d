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
