import { chmodSync, existsSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { shippedServerDefinitions } from '../../src/workspace/language-server/disk-server-definitions.ts';
import { boardRun } from '../support/board-run.ts';
import { fixtureProject } from '../support/fixture-project.ts';
import { until } from '../support/processes.ts';

/** Edits JavaScript that asks for a package named in package.json, with an `npm` that leaves a mark. */
async function edited(how: 'as shipped' | 'without settings') {
  const project = fixtureProject({
    'package.json': '{"name":"p","dependencies":{"lodash":"4.17.21","express":"4.21.0"}}',
    'a.js': "const _ = require('lodash');\nmodule.exports = _.chunk([1], 1);\n",
    'bin/npm': '#!/bin/sh\ndate > "$(dirname "$0")/../mark"\nexit 1\n',
  });
  chmodSync(project.path('bin/npm'), 0o755);
  vi.stubEnv('PATH', `${project.path('bin')}:${process.env.PATH}`);
  vi.stubEnv('HOME', project.path('home'));
  vi.stubEnv('XDG_CACHE_HOME', project.path('cache'));
  const shipped = (await shippedServerDefinitions()).filter(({ name }) => name === 'typescript-native');
  const definitions = how === 'as shipped' ? shipped : shipped.map((one) => ({ ...one, settings: {} }));
  const run = boardRun({ root: project.root, definitions });
  const report = await run.replace(project.path('a.js'), ['[1]', '[2]']);
  vi.unstubAllEnvs();
  expect(report.servers).toMatchObject([{ name: 'typescript-native', state: 'fresh' }]);
  return {
    run,
    remove: project.remove,
    isMarked: () => existsSync(project.path('mark')),
    again: () => run.replace(project.path('a.js'), ['1)', '3)']),
  };
}

/** The second project shows that the first could have failed: the same server downloads when nobody forbids it. */
test('the server downloads no types by itself', async () => {
  const shipped = await edited('as shipped');
  const without = await edited('without settings');
  expect(await until(without.isMarked, 30_000)).toBe(true);
  expect(await shipped.again()).toMatchObject({ state: 'fresh' });
  expect(shipped.isMarked()).toBe(false);
  for (const { run, remove } of [shipped, without]) {
    await run.board.close();
    remove();
  }
});
