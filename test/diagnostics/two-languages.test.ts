import { expect, onTestFinished, test } from 'vitest';
import { createBroker } from '../../src/hosts/create-broker.ts';
import { makeProject } from '../support/project.ts';

test('what one server said takes nothing from what another one says late', { timeout: 90_000 }, async () => {
  const project = makeProject({
    'a.ts': 'export const f = (n: number): string => String(n);\nf(1);\n',
    'b.py': 'def g(n: int) -> str:\n    return str(n)\n\n\ng(1)\n',
  });
  const broker = await createBroker({ root: project.root, diagnosticsBudgetMs: 0 });
  onTestFinished(() => broker.close());
  const late: unknown[] = [];
  for (const [name, from, to] of [
    ['a.ts', 'f(1)', 'f("x")'],
    ['b.py', '\ng(1)', '\ng("x")'],
  ]) {
    await broker.call('Edit', { file_path: name, old_string: from, new_string: to });
    for (const { report } of await broker.flush(60_000)) {
      late.push([report.introduced.map(({ code }) => code), report.open]);
    }
  }
  expect(late).toEqual([
    [['TS2345'], []],
    [['reportArgumentType'], []],
  ]);
});
