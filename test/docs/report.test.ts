import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { CLI } from '../support/emend.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/report.md'), 'utf8');

test('the commands of the page on reports run as they stand, on journals of their names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'emend-docs-report-'));
  const record = {
    ...{ format: 1, emend: '0.1.0', time: '2026-12-02T04:00:00.000Z', root: '/r', session: 's', called: 'Edit' },
    ...{ tool: 'Edit', receipt: 'e1', ok: true, args: '0'.repeat(64), result: '0'.repeat(64) },
    ...{ bytes: { whole: 1, shown: 1 }, looked: [], files: [], ms: 1 },
  };
  for (const name of ['RUNS', 'NEW', 'OLD', 'JOURNAL'])
    writeFileSync(join(folder, name), `${JSON.stringify(record)}\n`);
  const commands = (/```sh\n([^`]*)```/.exec(PAGE)?.[1] ?? '').trim().split('\n');
  expect(commands).toHaveLength(3);
  const printed: string[] = [];
  for (const command of commands) {
    const [name, ...args] = command.split(' ');
    expect(name).toBe('emend');
    const { stdout } = await execa(process.execPath, [CLI, ...args], { cwd: folder, env: { XDG_STATE_HOME: folder } });
    printed.push(stdout);
  }
  expect(existsSync(join(folder, 'report.html'))).toBe(true);
  expect(JSON.parse(printed[1] ?? '')).toMatchObject({ label: 'new', against: { label: 'old' } });
  expect(printed[2]).toContain('1 edits as exact: 0 the same');
  rmSync(folder, { recursive: true });
});
