import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, limitRow } from './bench-row.ts';

const MOST_MB = 32;
const LINES = 17_000_000;

/** How far our resident size rises over idle while a call handles far more than that. */
export async function benchMemory(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'emend-bench-memory-'));
  try {
    const file = join(folder, 'one-gb.txt');
    makeLines(file);
    const line = join(folder, 'line');
    mkdirSync(line);
    makeLongLine(join(line, 'one.json'));
    const rows = [
      ['Read, the last page of 1 GB', `${LINES} lines`, ['read', file, String(LINES - 500)]],
      ['Grep over one line of 157 MB', 'a match at 100 MB', ['grep', line]],
      ['Bash that prints 2 GB', 'in lines', ['lines']],
      ['Bash that prints 2 GB', 'in one line', ['bash']],
    ] as const;
    const measured: BenchRow[] = [];
    for (const [figure, inputs, args] of rows) {
      const over = await overIdle(args);
      measured.push(limitRow({ figure, inputs, ours: over / 1024 ** 2, unit: 'MB', most: MOST_MB }));
    }
    return measured;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes over idle, in a process of its own. */
function overIdle(args: readonly string[]): Promise<number> {
  const probe = join(import.meta.dirname, 'memory-probe.ts');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', probe, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      output += text;
    });
    child.on('error', reject);
    child.on('close', () => {
      const over: unknown = output === '' ? undefined : JSON.parse(output).over;
      if (typeof over === 'number') resolve(over);
      else reject(new Error(`the probe said ${output}`));
    });
  });
}

function makeLines(path: string): void {
  const file = openSync(path, 'w');
  for (let number = 0; number < LINES; number += 100_000) {
    const lines = Array.from(
      { length: 100_000 },
      (_, n) => `${String(number + n).padStart(9, '0')} a line of a file of one gigabyte, or of a bit more\n`,
    );
    writeSync(file, lines.join(''));
  }
  closeSync(file);
}

function makeLongLine(path: string): void {
  const file = openSync(path, 'w');
  const part = 'x'.repeat(1_000_000);
  writeSync(file, '{"a":"');
  for (let n = 0; n < 157; n++) writeSync(file, n === 100 ? `NEEDLE${part}` : part);
  writeSync(file, '"}');
  closeSync(file);
}
