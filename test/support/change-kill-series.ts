import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openRoot } from '../../src/hosts/open-root.ts';
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
  const program = bundled('change-until-killed.ts');
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
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
    await sleep(random() * 250);
    child.kill('SIGKILL');
    const [, signal] = await once(child, 'exit');
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

/** One file that starts in a fraction of the time of many. */
function bundled(name: string): string {
  // Within the package, whose server definitions it looks for above itself.
  const outfile = join(import.meta.dirname, '../../node_modules/.cache/emend-test', `${process.pid}-${name}.mjs`);
  const banner =
    "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";
  execFileSync(join(import.meta.dirname, '../../node_modules/.bin/esbuild'), [
    join(import.meta.dirname, name),
    '--bundle',
    '--platform=node',
    '--format=esm',
    '--log-level=error',
    `--banner:js=${banner}`,
    `--outfile=${outfile}`,
  ]);
  return outfile;
}

/** The turns that the files are at: one, but in the middle of a change. */
function turnsOf(root: string): ReadonlySet<number> {
  return new Set(
    Object.values(textsOf(root)).flatMap((text) => [...text.matchAll(/^turn (\d+)\./gm)].map((m) => Number(m[1]))),
  );
}
