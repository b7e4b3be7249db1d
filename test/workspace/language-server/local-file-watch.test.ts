import { rmSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ChangedFile, localFileWatch } from '../../../src/workspace/language-server/local-file-watch.ts';
import { fixtureProject } from '../../support/fixture-project.ts';
import { until } from '../../support/processes.ts';

describe('localFileWatch', () => {
  test('tells of files that are made, changed and deleted, not of those of packages', async () => {
    const project = fixtureProject({ 'a.ts': '', 'node_modules/p/index.js': '' });
    symlinkSync(project.path('a.ts'), project.path('link.ts'));
    const seen: ChangedFile[] = [];
    const stop = await localFileWatch(project.root, (changes) => seen.push(...changes));
    const has = (name: string, type: number): boolean =>
      seen.some((change) => change.path === project.path(name) && change.type === type);

    project.write('src/new.ts', 'x');
    project.write('node_modules/p/index.js', 'x');
    expect(await until(() => has('src/new.ts', 1), 5000)).toBe(true);
    project.write('a.ts', 'x');
    expect(await until(() => has('a.ts', 2), 5000)).toBe(true);
    rmSync(project.path('a.ts'));
    expect(await until(() => has('a.ts', 3), 5000)).toBe(true);
    expect(seen.filter(({ path }) => path.includes('node_modules'))).toEqual([]);
    await stop?.();
    project.remove();
  });

  test('a folder that is not there is not watched', async () => {
    expect(await localFileWatch('/no/such/folder', () => {})).toBeUndefined();
  });
});
