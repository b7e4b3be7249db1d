import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openRoot } from '../../src/hosts/open-root.ts';
import { bundledProgram } from './bundled-program.ts';
import { seeded } from './encoded-files.ts';
import { filesAt } from './five-files.ts';
import { textsOf, writeTree } from './tree.ts';

// What roots keep between runs goes where it is swept, not into the home of whoever runs the tests.
process.env.XDG_STATE_HOME ??= join(tmpdir(), `emend-test-state-${process.pid}`);

/**
 * Kills a process that changes five files at once at so many random moments. Each time the next one that opens the root
 * finds all files at one turn, and nothing else in the tree.
 */
export async function changeKillSeries(series: { readonly kills: number; readonly seed: number }) {
  const random = seeded(series.seed);
  const root = await realpath(await mkdtemp(join(tmpdir(), 'killed-change-')));
  const program = bundledProgram('change-until-killed.ts');
  writeTree(root, filesAt(0));
  let turn = 0;
  let torn = 0;
  for (let kill = 0; kill < series.kills; kill += 1) {
    const child = fork(program, [root, String(turn)], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    let complaint = '';
    child.stderr?.on('data', (chunk) => {
      complaint += String(chunk);
    });
    const exit = once(child, 'exit');
    await Promise.race([once(child, 'message'), exit]);
    await sleep(random() * 250);
    child.kill('SIGKILL');
    const [, signal] = await exit;
    expect(signal, complaint).toBe('SIGKILL');
    if (turnsOf(root).size > 1) torn += 1;
    await (await openRoot({ root })).close();
    const [found] = turnsOf(root);
    turn = found ?? Number.NaN;
    expect(textsOf(root), `after kill ${kill}`).toEqual(filesAt(turn));
  }
  await rm(root, { recursive: true });
  return { turns: turn, torn };
}

/** The turns that the files are at: one, but in the middle of a change. */
function turnsOf(root: string): ReadonlySet<number> {
  return new Set(
    Object.values(textsOf(root)).flatMap((text) => [...text.matchAll(/^turn (\d+)\./gm)].map((m) => Number(m[1]))),
  );
}
