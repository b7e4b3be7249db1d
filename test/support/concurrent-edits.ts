import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bundledProgram } from './bundled-program.ts';
import type { ClientReport, SharedEdit } from './edit-clients.ts';

const PROCESSES = 2;
const CLIENTS = 4;
const SHARED_LINES = 5;

/** Edits of one file at once, by 8 clients over 2 processes, so many by each; every one is accounted for. */
export async function concurrentEdits(
  editsOfEach: number,
): Promise<{ readonly applied: number; readonly refused: number }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'concurrent-')));
  const children = Array.from({ length: PROCESSES }, () =>
    fork(
      bundledProgram('edit-clients.ts'),
      [root, 'f.txt', String(CLIENTS), String(editsOfEach), String(SHARED_LINES)],
      { execArgv: [] },
    ),
  );
  const pids = await Promise.all(children.map(async (child) => Number(await told(child))));
  const own = pids.flatMap((pid) =>
    Array.from(
      { length: CLIENTS * editsOfEach },
      (_, index) => `p${pid}c${index % CLIENTS} line ${Math.floor(index / CLIENTS)}:`,
    ),
  );
  const before = [
    ...Array.from({ length: SHARED_LINES }, (_, line) => `shared ${line}: start`),
    ...own.map((line) => `${line} old`),
  ];
  await writeFile(join(root, 'f.txt'), `${before.join('\n')}\n`);
  const reports = await Promise.all(
    children.map(async (child) => {
      child.send('go');
      return (await told(child)) as ClientReport;
    }),
  );
  expect(reports.flatMap((report) => report.failed)).toEqual([]);
  const shared = reports.flatMap((report) => report.shared);
  const after = (await readFile(join(root, 'f.txt'), 'utf8')).split('\n');
  expect(after.slice(SHARED_LINES, -1)).toEqual(own.map((line) => `${line} new`));
  expect(after.slice(0, SHARED_LINES)).toEqual(
    Array.from({ length: SHARED_LINES }, (_, line) => `shared ${line}: ${endOfChain(shared, line)}`),
  );
  expect(await readdir(root)).toEqual(['f.txt']);
  const refused = shared.filter(({ code }) => code !== 'applied');
  for (const { code } of refused) expect(['no_match', 'stale', 'ambiguous', 'conflict']).toContain(code);
  return { applied: own.length + shared.length - refused.length, refused: refused.length };
}

/** The next message of a child, or that it ended instead. */
async function told(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a client process ended with ${code}`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  // It ends after its last message.
  ended.catch(() => undefined);
  return message;
}

/** Every edit that was told as applied is one step from the first value to the last; none is left over. */
function endOfChain(shared: readonly SharedEdit[], line: number): string {
  const steps = new Map(
    shared.filter((edit) => edit.line === line && edit.code === 'applied').map(({ from, to }) => [from, to]),
  );
  const count = shared.filter((edit) => edit.line === line && edit.code === 'applied').length;
  expect(steps.size, 'two edits of one value were told as applied').toBe(count);
  let value = 'start';
  let taken = 0;
  for (let next = steps.get(value); next !== undefined; next = steps.get(value)) {
    value = next;
    taken += 1;
  }
  expect(taken, 'an edit that was told as applied is not in the file').toBe(count);
  return value;
}
