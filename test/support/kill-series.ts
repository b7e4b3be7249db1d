import { fork } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdtemp, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import { bundledProgram } from './bundled-program.ts';
import { seeded } from './encoded-files.ts';
import { editedText, killedText } from './killed-text.ts';

export interface KillSeries {
  readonly kills: number;
  readonly seed: number;
  /** Which program is killed: one that commits, or one that edits through the broker. */
  readonly program: 'commit-until-killed.ts' | 'edit-until-killed.ts';
  /** `linked`: the file has two names, so it is written in place, and put right by the next process. */
  readonly file: 'plain' | 'linked';
}

/**
 * Kills a process that changes a file at so many random moments, and looks each time at what it left. Each process
 * made ten changes before its moment comes; `kills` counts those that ended by the signal.
 */
export async function killSeries(series: KillSeries): Promise<{ readonly kills: number; readonly changes: number }> {
  const random = seeded(series.seed);
  const root = await realpath(await mkdtemp(join(tmpdir(), 'killed-')));
  const path = join(root, 'f.txt');
  const textOf = series.program === 'commit-until-killed.ts' ? killedText : editedText;
  await writeFile(path, textOf(0));
  if (series.file === 'linked') await link(path, join(root, 'g.txt'));
  const names = await readdir(root);
  let turn = 0;
  let kills = 0;
  while (kills < series.kills) {
    const child = fork(bundledProgram(series.program), [path, String(turn), root], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    let complaint = '';
    child.stderr?.on('data', (chunk) => {
      complaint += String(chunk);
    });
    await once(child, 'message');
    await sleep(random() * 200);
    child.kill('SIGKILL');
    const [, signal] = await once(child, 'exit');
    expect(signal, complaint).toBe('SIGKILL');
    kills += 1;
    // A file that was written in place is put right before anyone reads it.
    if (series.file === 'linked') await createDiskStore().read(path);
    const text = await readFile(path, 'utf8');
    const from = turn;
    turn = Number(/^turn (\d+)\./.exec(text)?.[1]);
    expect(turn, `after kill ${kills}`).toBeGreaterThanOrEqual(from + 10);
    expect(text === textOf(turn), `after kill ${kills} the file is neither old nor new`).toBe(true);
    expect(await readdir(root), `after kill ${kills}`).toEqual(names);
  }
  return { kills, changes: turn };
}
