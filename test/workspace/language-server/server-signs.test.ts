import { expect, test } from 'vitest';
import { serverDefinitionSchema } from '../../../src/workspace/language-server/server-definition.ts';
import { ServerSigns } from '../../../src/workspace/language-server/server-signs.ts';

const resolved = (more: object) => ({
  definition: serverDefinitionSchema.parse({
    name: 'x',
    languages: ['python'],
    places: [{ from: 'path', command: 'x' }],
    diagnostics: { kind: 'pull' },
    install: 'nothing',
    verified: 'never',
    ...more,
  }),
  projectVersion: undefined,
});
const never = new Promise<never>(() => {});

test('a server that says when it has found its files is waited for until then, and not for ever', async () => {
  const signs = new ServerSigns(resolved({ knowsFilesWhen: ['Found '] }));
  const waited = signs.knowsFiles(never, 60_000).then(() => 'known');
  signs.note('window/logMessage', { type: 3, message: 'Auto-excluding **/node_modules' });
  expect(await Promise.race([waited, new Promise((resolve) => setTimeout(resolve, 50, 'not yet'))])).toBe('not yet');
  signs.note('window/logMessage', { type: 3, message: 'Found 3 source files' });
  expect(await waited).toBe('known');
  await signs.knowsFiles(never, 60_000);
  signs.reset();
  await signs.knowsFiles(never, 10);
  await signs.knowsFiles(Promise.resolve(), 60_000);
});

test('one that says nothing of its files is not waited for', async () => {
  await new ServerSigns(resolved({})).knowsFiles(never, 60_000);
});
