import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { navArguments } from '../../src/hosts/nav.ts';
import { lspRefactorTool } from '../../src/tools/navigation/lsp.ts';
import { callLoaded, linkPackage } from '../support/nav-projects.ts';
import { openToolRoom } from '../support/tool-room.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/navigation.md'), 'utf8');
const CALL =
  /```sh\nemend nav --experimental-lsp (?:--allow-refactor )?(\w+) '([^']*)' ?(\w*)\n```\n\n```text\n([\s\S]*?)```/g;

test('the commands of the page answer what it shows', { timeout: 120_000 }, async () => {
  const room = await openToolRoom({
    'package.json': '{ "type": "module" }',
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [], "noEmit": true } }',
    'src/measure.ts': 'export function measure(side: number): number {\n  return side * 4;\n}\n',
    'src/use.ts': "import { measure } from './measure.js';\n\nexport const room = () => '😀' + measure(3);\n",
  });
  onTestFinished(() => room.close());
  linkPackage(room.folder, 'typescript-7');
  const calls = [...page.matchAll(CALL)];
  expect(calls).toHaveLength(2);
  for (const [, operation = '', target, name = '', answer = ''] of calls) {
    const args = navArguments({ operation, target, name: name === '' ? undefined : name });
    const { text } = await callLoaded(room, lspRefactorTool, args);
    expect(text.replace(/\(\d+ ms\)/g, '(N ms)').trimEnd()).toBe(answer.trimEnd());
  }
});
