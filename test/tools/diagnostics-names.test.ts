import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/broker/session.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { diagnosticsTool } from '../../src/tools/diagnostics.ts';
import { fixtureProject, TSCONFIG } from '../support/fixture-project.ts';

const NAMES = ['a b.ts', '50%.ts', 'c#.ts', 'grün/表.ts', 'a+b&(c).ts'];

test('one file has one list of diagnostics, however it is named; of an unknown language nothing is claimed', async () => {
  const files = Object.fromEntries(NAMES.map((name) => [name, 'export const wrong: number = "text";\n']));
  const project = fixtureProject(
    { 'tsconfig.json': TSCONFIG, 'package.json': '{"type":"module"}', 'x.unknown': 'text\n', ...files },
    { typescript: 'typescript-5' },
  );
  const root = await openRoot({ root: project.root });
  onTestFinished(async () => {
    await root.close();
    project.remove();
  });
  const session = createSession(root, 'test');
  const ask = async (file_path: string): Promise<string> => {
    const args = { file_path, wait_ms: 60_000 };
    return (await callTool([diagnosticsTool], { name: 'Diagnostics', args }, { session })).text;
  };
  for (const name of NAMES) {
    const text = await ask(name);
    expect(text).toContain(`${name}: 1 found`);
    expect(text).toMatch(/2322/);
    const uri = pathToFileURL(project.path(name)).href;
    const escapes = uri.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
    for (const spelled of [project.path(name), `./${name}`, uri, escapes]) expect(await ask(spelled)).toBe(text);
  }
  expect(await ask('x.unknown')).toBe('x.unknown: no language server for it here');
}, 120_000);
