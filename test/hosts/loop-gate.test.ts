import { utimesSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type BrokerOptions, createBroker } from '../../src/index.ts';
import { emendFor } from '../support/emend.ts';
import { makeProject } from '../support/project.ts';

const WRONG = { file_path: 'a.txt', old_string: 'nowhere to be found', new_string: 'x' };
const FAILS = { command: 'exit 3' };

/** Its file is of another time than the commands, so that these have not changed it. */
function project(): string {
  const { root, path } = makeProject({ 'a.txt': 'alpha\n' });
  utimesSync(path('a.txt'), 1_700_000_000, 1_700_000_000);
  return root;
}

async function open(loopGate: NonNullable<BrokerOptions['loopGate']>) {
  const broker = await createBroker({ root: project(), loopGate });
  onTestFinished(() => broker.close());
  return async (tool: string, args: object, times: number) => {
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < times; n++) codes.push((await broker.call(tool, args)).receipt.code);
    return codes;
  };
}

describe('the loop gate as an option', () => {
  test('of a broker: after how many failures an edit is held back', async () => {
    const codes = await open({ failures: 4 });
    expect(await codes('Edit', WRONG, 5)).toEqual([...Array(4).fill('no_match'), 'loop_blocked']);
  });

  test('of a broker: commands are run each time, and strictly they are held back too', async () => {
    const lenient = await open({});
    expect(await lenient('Bash', FAILS, 3)).toEqual([undefined, undefined, undefined]);
    const strict = await open({ strictness: 'edits_and_commands' });
    expect(await strict('Bash', FAILS, 3)).toEqual([undefined, undefined, 'loop_blocked']);
  });

  test.each([0, -1, 1.5, Number.NaN])('of a broker: %d is no count', async (failures) => {
    await expect(createBroker({ root: makeProject({}).root, loopGate: { failures } })).rejects.toThrow(
      `loopGate.failures is ${failures}. Give a whole number from 1 on`,
    );
  });

  test('of the command line, by the resident process too', async () => {
    const root = project();
    const emend = emendFor(root);
    const codes: string[] = [];
    for (let n = 0; n < 2; n++) {
      const options = ['--root', root, '--json', '--loop-failures', '1', '--loop-strict'];
      for (const [tool, args] of [['Edit', WRONG] as const, ['Bash', FAILS] as const]) {
        const { stdout } = await emend.run(['call', tool, JSON.stringify(args), ...options]);
        codes.push(JSON.parse(stdout).receipt.code ?? 'ran');
      }
    }
    expect(codes).toEqual(['no_match', 'ran', 'loop_blocked', 'loop_blocked']);
    expect(await emend.run(['call', 'Read', '{}', '--root', root, '--loop-near', '0'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--loop-near'),
    });
  });
});
