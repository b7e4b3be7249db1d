import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { answerTask, type PlanTask } from '../../src/broker/edit-planner.ts';
import { createBroker } from '../../src/hosts/create-broker.ts';
import { createThreadPlanner, type ThreadPlannerOptions } from '../../src/hosts/thread-planner.ts';
import { noRun } from '../support/no-run.ts';
import { makeProject } from '../support/project.ts';

const LINES = Array.from(
  { length: 3_000 },
  (_, line) => `  call${line % 97}(${line}, total + ${line * 7}); // ${line}`,
);
const TEXT = `${LINES.join('\n')}\n`;
/** Of which every tenth line is not what the file says. */
const STALE = TEXT.replace(/total \+ (\d*)0\)/g, 'other - $1 * 3)');
const TASK: PlanTask = {
  text: TEXT,
  request: { oldString: STALE, newString: `${STALE}end();\n`, replaceAll: false, path: 'a.ts' },
  most: 1_000_000,
};

function makePlanner(options?: ThreadPlannerOptions): ReturnType<typeof createThreadPlanner> {
  const planner = createThreadPlanner(options);
  onTestFinished(() => planner.close());
  return planner;
}

const script = (code: string): URL =>
  new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';\n${code}`)}`);

test('calls are answered while a large edit is compared', async () => {
  const project = makeProject({ 'large.ts': TEXT, 'small.ts': 'one();\ntwo();\n' });
  const broker = await createBroker({ root: project.root, run: noRun });
  onTestFinished(() => broker.close());
  const order: string[] = [];
  const call = async (tool: string, args: Record<string, unknown>): Promise<string> => {
    const { text } = await broker.call(tool, args);
    order.push(`${tool} ${args.file_path}`);
    return text;
  };
  const [large] = await Promise.all([
    call('Edit', { file_path: 'large.ts', old_string: STALE, new_string: `${STALE}end();\n` }),
    call('Edit', { file_path: 'small.ts', old_string: 'two();', new_string: 'three();' }),
    call('Read', { file_path: 'small.ts' }),
  ]);
  expect(order.at(-1)).toBe('Edit large.ts');
  expect(large).toMatch(/^Error no_match: .*\(3000 lines\)\. Nearest: L1-3000, 2700 of 3000 lines equal/);
});

test('a thread answers as this one would, one task after another', async () => {
  const failures: Error[] = [];
  const planner = makePlanner({ onFailure: (failure) => failures.push(failure) });
  const exact: PlanTask = { ...TASK, request: { ...TASK.request, oldString: 'call5(5,', newString: 'call5(6,' } };
  const answers = await Promise.all([planner.plan(TASK), planner.plan(exact)]);
  expect(answers).toEqual([answerTask(TASK), answerTask(exact)]);
  expect(failures).toEqual([]);
});

test.each([
  ['throws when it starts', "throw new Error('no');"],
  ['throws at the task', "parentPort.on('message', () => { throw new Error('no'); });"],
  ['ends at the task', "parentPort.on('message', () => process.exit(3));"],
  ['can not be read', 'this is no script'],
])('where the thread %s the edit is planned here', async (_what, code) => {
  const failures: Error[] = [];
  const planner = makePlanner({ script: script(code), onFailure: (failure) => failures.push(failure) });
  expect(await planner.plan(TASK)).toEqual(answerTask(TASK));
  expect(failures).toHaveLength(1);
});

test('a cancelled edit ends the thread, and the next edit has another', async () => {
  const planner = makePlanner({
    script: script(`
      parentPort.on('message', ({ text }) => { if (text === 'endless') for (;;); else parentPort.postMessage(text); });`),
  });
  const controller = new AbortController();
  const endless = planner.plan({ ...TASK, text: 'endless' }, controller.signal);
  const next = planner.plan({ ...TASK, text: 'next' });
  const waiting = planner.plan({ ...TASK, text: 'endless' }, controller.signal);
  controller.abort(new Error('cancelled by its caller'));
  await expect(endless).rejects.toThrow('cancelled by its caller');
  await expect(waiting).rejects.toThrow('cancelled by its caller');
  expect(await next).toBe('next');
});

const DIST = join(import.meta.dirname, '../../dist');

test('the built package has its thread, which keeps no process alive', async () => {
  const built = pathToFileURL(join(DIST, 'hosts/thread-planner.js')).href;
  const program = `
    const { createThreadPlanner } = await import(${JSON.stringify(built)});
    const planner = createThreadPlanner({ onFailure: (failure) => { throw failure; } });
    const { plan } = await planner.plan(${JSON.stringify({ ...TASK, text: 'a b', request: { ...TASK.request, oldString: 'a  b', newString: 'a c' } })});
    console.log(plan.status);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(stdout).toMatch(/^(planned|refused)\n$/);
});

test('the bundled program has its thread beside it', async () => {
  const bundled = join(DIST, 'bin/planner-thread.js');
  expect(existsSync(bundled)).toBe(true);
  const planner = makePlanner({ script: pathToFileURL(bundled), onFailure: (failure) => expect.fail(failure.message) });
  expect(await planner.plan(TASK)).toEqual(answerTask(TASK));
});
