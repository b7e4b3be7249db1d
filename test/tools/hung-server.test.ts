import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/broker/session.ts';
import { createDiagnosticsBoard } from '../../src/diagnostics/create-diagnostics-board.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { defaultTools } from '../../src/tools/tools.ts';
import { systemClock } from '../../src/workspace/clock.ts';
import { serverDefinitionSchema } from '../../src/workspace/language-server/server-definition.ts';
import { recordedRun } from '../support/recorded-run.ts';
import { openToolRoom } from '../support/tool-room.ts';

const FAKE = join(import.meta.dirname, '../fixtures/fake-server.mjs');
const BUDGET_MS = 1_000;
/** What a call may take on a busy machine beside its budget; a call that waited for the server would take minutes. */
const SLACK_MS = 4_000;

/** A room with one server, which does not answer, and the time that each call took in milliseconds. */
async function roomWith(faults: (folder: string) => Readonly<Record<string, unknown>>) {
  const recorded = recordedRun();
  const room = await openToolRoom(
    { 'a.txt': 'one\n', 'b.txt': 'one\n', 'none.unknown': 'one\n', hanging: '' },
    (folder) => ({
      layers: {
        overStore: (store) => store,
        overBoard: () =>
          createDiagnosticsBoard({
            root: folder,
            run: recorded.run,
            clock: systemClock,
            definitions: [
              serverDefinitionSchema.parse({
                name: 'fake',
                languages: ['plaintext'],
                places: [{ from: 'path', command: 'node', args: [FAKE, JSON.stringify(faults(folder))] }],
                diagnostics: { kind: 'pull' },
                install: 'nothing',
                verified: 'never',
              }),
            ],
            timings: { initializeMs: 600_000, requestMs: 600_000 },
          }),
      },
    }),
  );
  onTestFinished(() => room.close());
  const session = createSession(room.root, 'test', { diagnosticsBudgetMs: BUDGET_MS });
  return {
    folder: room.folder,
    textOf: (name: string): string => readFileSync(join(room.folder, name), 'utf8'),
    async edit(file_path: string, old_string: string, new_string: string) {
      const started = performance.now();
      const args = { file_path, old_string, new_string };
      const { ok, text } = await callTool(defaultTools, { name: 'Edit', args }, { session });
      return { ok, text, ms: performance.now() - started };
    },
    write: (file_path: string, content: string) =>
      callTool(defaultTools, { name: 'Write', args: { file_path, content } }, { session }),
  };
}

const SLOW = { timeout: 60_000 };

test.each([
  ['never answers about a document', (folder: string) => ({ hangsWhile: join(folder, 'hanging') })],
  ['never answers initialize', () => ({ initializeMs: 600_000 })],
])(
  'an edit while the server %s is written, returns within its budget and says so; the next ones do not wait',
  SLOW,
  async (_what, faults) => {
    // https://github.com/can1357/oh-my-pi/issues/4910
    const room = await roomWith(faults);
    const first = await room.edit('a.txt', 'one', 'two');
    expect(first).toMatchObject({ ok: true });
    expect(first.text).toMatch(/^Edited a\.txt \(\+1 -1\) L1 \[e\d+\]\n/);
    expect(first.text).toMatch(/^diagnostics: pending \(/m);
    expect(room.textOf('a.txt')).toBe('two\n');
    expect(first.ms).toBeLessThan(BUDGET_MS + SLACK_MS);

    let [nextMs, plainMs] = [0, 0];
    for (let n = 0; n < 10; n++) {
      const next = await room.edit('a.txt', n === 0 ? 'two' : `line ${n - 1}`, `line ${n}`);
      expect(next).toMatchObject({ ok: true });
      expect(next.text).toMatch(/^diagnostics: pending/m);
      expect(room.textOf('a.txt')).toBe(`line ${n}\n`);
      nextMs += next.ms;
      plainMs += (await room.edit('none.unknown', n === 0 ? 'one' : `line ${n - 1}`, `line ${n}`)).ms;
    }
    // Were the budget waited for each time, they would take ten of it.
    expect(nextMs - plainMs).toBeLessThan(5 * BUDGET_MS);
    expect(await room.edit('b.txt', 'one', 'two')).toMatchObject({ ok: true });
    expect(room.textOf('b.txt')).toBe('two\n');
    expect(await room.write('b.txt', 'three\n')).toMatchObject({ ok: true });
    expect(room.textOf('b.txt')).toBe('three\n');
  },
);

test('an edit that must be refused is refused while the server hangs, and changes nothing', SLOW, async () => {
  const room = await roomWith((folder) => ({ hangsWhile: join(folder, 'hanging') }));
  await room.edit('a.txt', 'one', 'two');
  const missed = await room.edit('a.txt', 'three lines that are not there', 'four');
  expect(missed).toMatchObject({ ok: false });
  expect(missed.text).toMatch(/^Error no_match: /);
  expect(room.textOf('a.txt')).toBe('two\n');
  rmSync(join(room.folder, 'hanging'));
});
