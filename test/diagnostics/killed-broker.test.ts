import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { processes, until } from '../support/processes.ts';
import { QUICK_SERVING_CASES } from '../support/serving-cases.ts';

const CHILD = join(import.meta.dirname, '..', 'support', 'board-child.ts');

describe('a board whose process is killed with -9', { timeout: 120_000 }, () => {
  test.each(QUICK_SERVING_CASES)('leaves no server of $name', async ({ file, project: make, text }) => {
    const project = make();
    project.write(file, text(['missing']));
    const child = spawn(process.execPath, ['--import', 'tsx', CHILD, project.root, project.path(file)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    const groups = JSON.parse(chunk.toString()) as readonly number[];
    const left = (): readonly string[] =>
      processes()
        .filter((row) => groups.includes(row.group))
        .map((row) => row.command);
    // The server and its watchdog; searches are over.
    expect(left().length).toBeGreaterThanOrEqual(2);

    child.kill('SIGKILL');
    await once(child, 'exit');
    await until(() => left().length === 0, 10_000);
    expect(left()).toEqual([]);
    project.remove();
  });
});
