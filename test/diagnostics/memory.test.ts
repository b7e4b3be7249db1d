import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { localMemory } from '../../src/workspace/language-server/local-memory.ts';
import { serverDefinitionSchema } from '../../src/workspace/language-server/server-definition.ts';
import { type BoardRun, boardRun } from '../support/board-run.ts';
import { type FixtureProject, fixtureProject } from '../support/fixture-project.ts';
import { isRunning, until } from '../support/processes.ts';
import { type RecordedRun, recordedRun } from '../support/recorded-run.ts';

const FAKE = join(import.meta.dirname, '..', 'fixtures', 'fake-server.mjs');
const MEGA = 1_000_000;

let project: FixtureProject;
let recorded: RecordedRun;
let run: BoardRun;

/** A board with two servers, of which each has some 40 MB, under a ceiling. */
async function underCeiling(ceiling: number): Promise<void> {
  project = fixtureProject({ 'a.txt': '', 'b.md': '' });
  recorded = recordedRun();
  const of = (name: string, language: string) =>
    serverDefinitionSchema.parse({
      name,
      languages: [language],
      places: [{ from: 'path', command: 'node', args: [FAKE, '{}', name] }],
      diagnostics: { kind: 'pull' },
      install: 'nothing',
      verified: 'never',
    });
  run = boardRun({
    root: project.root,
    run: recorded.run,
    definitions: [of('first', 'plaintext'), of('second', 'markdown')],
    memory: { ...(await localMemory()), ceiling },
    timings: { memoryLookMs: 100, memoryPauseMs: 700 },
  });
}

afterEach(async () => {
  await run.board.close();
  expect(await recorded.leftOver(2000)).toEqual([]);
  project.remove();
});

const isUp = (name: string): boolean => recorded.started(name).some(isRunning);

test('the server that was used longest ago is stopped, and started again when it is needed', async () => {
  await underCeiling(Number.POSITIVE_INFINITY);
  await run.write(project.path('a.txt'), '!one\n');
  await run.write(project.path('b.md'), '!one\n');
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect([isUp('first'), isUp('second')]).toEqual([true, true]);
  const sizes = await (await localMemory()).ofGroups([...recorded.started('first'), ...recorded.started('second')]);
  const both = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(both).toBeGreaterThan(20 * MEGA);
  await run.board.close();

  project.remove();
  await underCeiling(both * 0.75);
  await run.write(project.path('a.txt'), '!one\n');
  await run.write(project.path('b.md'), '!one\n');
  await until(() => !isUp('first'), 10_000);
  expect([isUp('first'), isUp('second')]).toEqual([false, true]);
  const report = await run.write(project.path('a.txt'), '!one !two\n');
  expect(report.state).toBe('fresh');
  expect(report.open.map(({ message }) => message)).toEqual(['!one']);
});

test('the last one that alone has too much is unavailable with the reason, and tried again after a while', async () => {
  await underCeiling(MEGA);
  await run.write(project.path('a.txt'), '!one\n');
  await until(() => !isUp('first'), 10_000);
  const report = await run.write(project.path('a.txt'), '!one !two\n');
  expect(report).toMatchObject({ state: 'unavailable', introduced: [] });
  expect(report.servers[0]?.reason).toMatch(/^memory: it has \d+ MB, all servers together may have 1 MB$/);
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect((await run.write(project.path('a.txt'), '!one !two !three\n')).state).toBe('fresh');
});
