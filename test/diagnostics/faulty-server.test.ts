import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { DiagnosticsReport } from '../../src/diagnostics/report.ts';
import { serverDefinitionSchema } from '../../src/workspace/language-server/server-definition.ts';
import type { ServerTimings } from '../../src/workspace/language-server/server-timings.ts';
import { type BoardRun, boardRun } from '../support/board-run.ts';
import { type FixtureProject, fixtureProject } from '../support/fixture-project.ts';
import { isRunning, until } from '../support/processes.ts';
import { type RecordedRun, recordedRun } from '../support/recorded-run.ts';

const FAKE = join(import.meta.dirname, '..', 'fixtures', 'fake-server.mjs');

let project: FixtureProject;
let recorded: RecordedRun;
let run: BoardRun;
let path: string;

/** A board whose only server is the fake one, with these faults. */
function withFaults(faults: Readonly<Record<string, unknown>>, more: Partial<ServerTimings> = {}): void {
  project = fixtureProject({ 'a.txt': 'start\n' });
  path = project.path('a.txt');
  recorded = recordedRun();
  const definition = serverDefinitionSchema.parse({
    name: 'fake',
    languages: ['plaintext'],
    places: [{ from: 'path', command: 'node', args: [FAKE, JSON.stringify(inProject(faults))] }],
    ...('checks' in faults ? { onSave: { progress: 'fake/check', quietMs: 50 } } : {}),
    settings: { fake: { level: 7 } },
    diagnostics: { kind: 'pushes' in faults ? 'versioned-push' : 'pull' },
    install: 'nothing',
    verified: 'never',
  });
  const initializeMs = 'initializeMs' in faults && Number(faults.initializeMs) > 10_000 ? 1500 : 10_000;
  const timings = { initializeMs, requestMs: 30_000, backOffMs: [100, 200, 400], ...more };
  run = boardRun({ root: project.root, run: recorded.run, definitions: [definition], timings });
}

/** `hangsWhile: 'x'` means the file `x` of the project. */
function inProject(faults: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(faults).map(([name, value]) => [
      name,
      /While$|^log$/.test(name) ? project.path(String(value)) : value,
    ]),
  );
}

afterEach(async () => {
  await run.board.close();
  expect(await recorded.leftOver(2000)).toEqual([]);
  project.remove();
});

const introduced = (report: DiagnosticsReport | undefined): readonly string[] =>
  (report?.introduced ?? []).map(({ message }) => message);

async function timed<T>(promise: Promise<T>): Promise<readonly [T, number]> {
  const started = performance.now();
  return [await promise, performance.now() - started];
}

describe('a server that', { timeout: 60_000 }, () => {
  test.each([
    ['asks for configuration, registers and reports progress before it answers', { asksFirst: true }],
    ['registers its diagnostics late', { registersAfterMs: 600 }],
    ['floods stderr', { flood: 30_000_000 }],
    ['prints a stray line before its first message', { stray: 'Starting…\n' }],
    ['prints several, one of them like a header', { stray: 'Starting: now\r\nready\n\n' }],
    ['finds 20,000 errors', { times: 20_000 }],
  ])('%s is answered fresh', async (_what, faults) => {
    withFaults(faults);
    const [report, ms] = await timed(run.write(path, '!one\n', { budgetMs: 20_000 }));
    expect(report).toMatchObject({ state: 'fresh', before: 0 });
    expect(new Set(introduced(report))).toEqual(new Set(['!one']));
    expect(ms).toBeLessThan(10_000);
  });

  test.each([
    [
      'exits with a word',
      { exit: { afterMs: 100, code: 3, says: 'boom' } },
      /did not start: its process ended with code 3: boom/,
    ],
    ['refuses to initialize', { refuses: 'no licence' }, /did not start: no licence/],
    ['never answers initialize', { initializeMs: 600_000 }, /did not answer initialize in 1.5 s/],
    ['prints garbage', { stray: `${'garbage '.repeat(20_000)}\r\n\r\n` }, /did not start/],
    ['answers null', { answers: null }, /not a full one: null/],
    ['answers that nothing changed', { answers: { kind: 'unchanged', resultId: '1' } }, /not a full one/],
    ['answers items of another form', { answers: { kind: 'full', items: [{ no: 'range' }] } }, /odd/],
  ])('%s is unavailable, with the reason, never clean', async (_what, faults, reason) => {
    withFaults(faults);
    const [report, ms] = await timed(run.write(path, 'x !one\n', { budgetMs: 8000 }));
    expect(report).toMatchObject({ state: 'unavailable', introduced: [], fixed: [], open: [] });
    expect(report.servers[0]?.reason).toMatch(reason);
    expect(ms).toBeLessThan(7000);
  });

  test('could not be started is not started again for each edit, but is once its pause is over', async () => {
    withFaults({ exit: { afterMs: 0, code: 1, says: 'boom' }, log: 'log' });
    await run.write(path, '1\n');
    const [again, ms] = await timed(run.write(path, '2\n'));
    expect(again.state).toBe('unavailable');
    expect(ms).toBeLessThan(90);
    await new Promise((resolve) => setTimeout(resolve, 250));
    await run.write(path, '3\n');
    expect(readFileSync(project.path('log'), 'utf8').trim().split('\n')).toHaveLength(2);
  });

  test('is slow to start is waited for once, and what it says follows later, once, of the last text', async () => {
    withFaults({ initializeMs: 900, log: 'log' });
    const [first, firstMs] = await timed(run.write(path, '!one\n', { budgetMs: 300 }));
    const [second, secondMs] = await timed(run.write(path, '!one !two\n', { budgetMs: 300 }));
    expect([first.state, second.state]).toEqual(['pending', 'pending']);
    expect(first.servers[0]).toMatchObject({ state: 'pending', reason: 'starting' });
    expect(first.servers[0]?.waitedMs).toBeGreaterThan(100);
    expect(second.servers[0]?.waitedMs).toBeLessThan(200);
    expect(firstMs).toBeGreaterThan(250);
    expect(secondMs).toBeLessThan(200);
    expect(run.board.takeReflow('s1')).toEqual([]);
    await run.board.settle('s1', 10_000);
    const reflow = run.board.takeReflow('s1');
    expect(reflow.map((one) => [one.receipt, introduced(one.report)])).toEqual([
      ['e1', ['!one']],
      ['e2', ['!two']],
    ]);
    expect(run.board.takeReflow('s1')).toEqual([]);
    expect(readFileSync(project.path('log'), 'utf8').trim().split('\n')).toHaveLength(1);
  });

  test('dies again and again is given up for the edit, not for ever: the next tells both', async () => {
    withFaults({ diesWhile: 'dying' });
    project.write('dying', '');
    const lost = await run.write(path, '!one\n');
    expect(lost).toMatchObject({ state: 'unavailable', introduced: [] });
    expect(lost.servers[0]?.reason).toMatch(/SIGKILL/);
    rmSync(project.path('dying'));
    const report = await run.write(path, '!one !two\n');
    expect(report).toMatchObject({ state: 'fresh', before: 0 });
    expect(introduced(report)).toEqual(['!one', '!two']);
  });

  test('hangs costs one budget, the next edits return at once, and it is started anew', async () => {
    withFaults({ hangsWhile: 'hanging' }, { requestMs: 4000 });
    expect((await run.write(path, '!zero\n')).state).toBe('fresh');
    project.write('hanging', '');
    const [first, firstMs] = await timed(run.write(path, '!zero !one\n', { budgetMs: 1000 }));
    const [second, secondMs] = await timed(run.write(path, '!zero !one !two\n', { budgetMs: 1000 }));
    expect([first.state, second.state]).toEqual(['pending', 'pending']);
    expect(firstMs).toBeLessThan(2000);
    expect(secondMs).toBeLessThan(500);
    rmSync(project.path('hanging'));
    await run.board.settle('s1', 30_000);
    const told = run.board.takeReflow('s1').flatMap((one) => introduced(one.report));
    const next = await run.write(path, '!zero !one !two !three\n');
    expect(next.state).toBe('fresh');
    expect([...told, ...introduced(next)].sort()).toEqual(['!one', '!three', '!two']);
  });

  test('was not waited for, or by one who gave up, is waited for by the next', async () => {
    withFaults({ pullMs: 700 });
    await run.write(path, 'warm\n');
    expect((await run.write(path, '!one\n', { budgetMs: 0 })).state).toBe('pending');
    const inspected = await run.board.inspect(run.snapshot(path), 20_000, AbortSignal.timeout(50));
    expect(inspected.state).toBe('pending');
    expect((await run.write(path, '!one !two\n', { budgetMs: 20_000 })).state).toBe('fresh');
  });

  test('is long at one file holds up the others for a part of their budget, and their answers follow', async () => {
    withFaults({ pullMs: 1500 });
    const other = project.write('b.txt', 'start\n');
    await run.write(path, 'warm\n');
    const own = run.write(path, '!one\n', { budgetMs: 6000 });
    const [report, ms] = await timed(run.write(other, '!two\n', { budgetMs: 1500 }));
    expect([report.state, report.servers[0]?.reason]).toEqual(['pending', 'busy']);
    expect(ms).toBeLessThan(900);
    expect(introduced(await own)).toEqual(['!one']);
    await run.board.settle('s1', 10_000);
    expect(run.board.takeReflow('s1').flatMap((late) => introduced(late.report))).toEqual(['!two']);
  });

  test('is stopped by a signal is not waited for twice, and answers when it goes on', async () => {
    withFaults({});
    expect((await run.write(path, '!zero\n')).state).toBe('fresh');
    const [pid] = recorded.started('fake-server');
    process.kill(-Number(pid), 'SIGSTOP');
    const big = `!zero !one\n${'x'.repeat(500_000)}\n`;
    const [first, firstMs] = await timed(run.write(path, big, { budgetMs: 300 }));
    const [, secondMs] = await timed(run.write(path, `${big}!two\n`, { budgetMs: 300 }));
    expect(first.state).toBe('pending');
    expect(firstMs).toBeLessThan(700);
    expect(secondMs).toBeLessThan(200);
    process.kill(-Number(pid), 'SIGCONT');
    await run.board.settle('s1', 10_000);
    const told = run.board.takeReflow('s1').flatMap((one) => introduced(one.report));
    expect(told.sort()).toEqual(['!one', '!two']);
  });

  test('ignores shutdown and SIGTERM is ended all the same', async () => {
    withFaults({ ignoresShutdown: true });
    expect((await run.write(path, '!one\n')).state).toBe('fresh');
  });
});

test.each([
  ['at once', {}],
  ['after a while', { afterMs: 120 }],
  ['something about the version before, first', { afterMs: 60, staleFirst: true }],
])(
  'a server that pushes %s is answered for exactly the version written',
  { timeout: 60_000 },
  async (_what, pushes) => {
    withFaults({ pushes });
    for (let n = 1; n <= 10; n++) {
      const report = await run.write(path, n % 3 === 0 ? 'clean\n' : `!v${n}\n`);
      expect(report).toMatchObject({ state: 'fresh', before: 0 });
      expect([...introduced(report), ...report.open.map(({ message }) => message)]).toEqual(
        n % 3 === 0 ? [] : [`!v${n}`],
      );
    }
    await run.board.filesChanged([project.path('other.txt')]);
    const again = await run.board.inspect(run.snapshot(path), 10_000);
    expect([again.state, again.diagnostics.map(({ message }) => message)]).toEqual(['fresh', ['!v10']]);
  },
);

test('what a checker finds in saved files follows with a later result, each once, and is known from then on', async () => {
  withFaults({ checks: { afterMs: 100 } });
  const late = async (): Promise<unknown> => {
    await run.board.settle('s1', 10_000);
    return run.board
      .takeReflow('s1')
      .map(({ receipt, report }) => [receipt, introduced(report), report.fixed.map(({ message }) => message)]);
  };
  await run.write(path, 'start ?old\n');
  expect(await late()).toEqual([]);
  const both = await run.write(path, 'start ?old\n!one ?two\n');
  expect([both.state, introduced(both)]).toEqual(['fresh', ['!one']]);
  expect(await late()).toEqual([['e2', ['!two'], []]]);

  await run.write(path, '\n\nstart ?old\n!one ?two\n');
  expect(await late()).toEqual([]);
  const state = await run.board.inspect(run.snapshot(path), 10_000);
  expect(state.diagnostics.map(({ message }) => message).sort()).toEqual(['!old', '!one', '!two']);

  const calls = ['?old ?three\n', '?old ?three ?four\n', '?old ?four\n'].map((text) => run.write(path, text));
  await Promise.all(calls);
  expect(await late()).toEqual([[expect.stringMatching(/^e[456]$/), ['!four'], ['!two']]]);
});

test('a server that is not asked for a while is stopped, and started again by the next edit', async () => {
  withFaults({}, { idleMs: 300 });
  await run.write(path, '!one\n');
  const [first] = recorded.started('fake-server');
  expect(await until(() => !isRunning(Number(first)), 5000)).toBe(true);
  const report = await run.write(path, '!one !two\n');
  expect(report).toMatchObject({ state: 'fresh', before: 0 });
  expect([introduced(report), report.open.map(({ message }) => message)]).toEqual([['!two'], ['!one']]);
  expect(recorded.started('fake-server')).toHaveLength(2);
});

test('a server that is long at an answer is not idle', async () => {
  withFaults({ pullMs: 1200 }, { idleMs: 300 });
  expect(await run.write(path, '!one\n')).toMatchObject({ state: 'fresh' });
  expect(recorded.started('fake-server')).toHaveLength(1);
});

describe('late answers', () => {
  test('are left out where a newer edit mended what they found, and go to the session that made them', async () => {
    withFaults({ pullMs: 250 });
    await run.write(path, 'warm\n');
    expect(await run.write(path, '!one !two\n', { budgetMs: 20 })).toMatchObject({ state: 'pending' });
    await run.board.settle('s1', 5000);
    const mended = await run.write(path, '!two\n', { session: 's2' });
    expect(mended).toMatchObject({ state: 'fresh', before: 1, introduced: [], open: [] });
    expect(mended.fixed.map(({ message }) => message)).toEqual(['!one']);
    expect(run.board.takeReflow('s2')).toEqual([]);
    expect(run.board.takeReflow('s1').map(({ report }) => introduced(report))).toEqual([['!two']]);
  });

  test('are held back while the file has changed again and the answer to that is not there', async () => {
    withFaults({ pullMs: 250 });
    await run.write(path, 'warm\n');
    await run.write(path, '!one\n', { budgetMs: 20 });
    await run.board.settle('s1', 5000);
    const mending = run.write(path, 'mended\n', { session: 's2' });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(run.board.takeReflow('s1')).toEqual([]);
    await mending;
    expect(run.board.takeReflow('s1').map(({ report }) => [report.state, introduced(report)])).toEqual([['fresh', []]]);
  });
});
