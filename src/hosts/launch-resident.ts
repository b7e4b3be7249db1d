import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { residentLog } from './resident-address.ts';

/** What `emend serve` prints once it listens, or once it sees that another one does. */
export const READY = 'ready';

/** How long a new process may take until it listens. */
const START_MS = 20_000;

/**
 * Starts the resident process of a root (a real path), apart from this one: it outlives it, and holds none of its
 * pipes. Settles when one listens, be it another that was faster. `more` are options of `emend serve`.
 * @throws Error with its last words
 */
export async function launchResident(root: string, more: readonly string[] = []): Promise<void> {
  const [, program] = process.argv;
  if (program === undefined) throw new Error('there is no program to start: this process was not started from a file');
  const logPath = residentLog(root);
  mkdirSync(dirname(logPath), { recursive: true, mode: 0o700 });
  const log = openSync(logPath, 'w', 0o600);
  const child = spawn(process.execPath, [...process.execArgv, program, 'serve', '--root', root, ...more], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', log],
    windowsHide: true,
  });
  closeSync(log);
  const { stdout } = child;
  if (!stdout) throw new Error('the resident process has no pipe');
  let said = '';
  const outcome = await new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve(`it did not listen within ${START_MS / 1000} s`), START_MS);
    const settle = (how: string): void => {
      clearTimeout(timer);
      resolve(how);
    };
    stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (said.startsWith(`${READY}\n`)) settle(READY);
    });
    child.once('error', (error) => settle(error.message));
    child.once('exit', (code, signal) => settle(`it ended with ${signal ?? `code ${code}`}`));
  });
  stdout.destroy();
  child.unref();
  if (outcome === READY) return;
  const words = lastWords(logPath);
  throw new Error(`the resident process did not start: ${outcome}${words === '' ? '' : `: ${words}`}`);
}

function lastWords(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').slice(-3).join(' | ').slice(-500);
  } catch {
    // It is about an error already; a log that can't be read adds nothing.
    return '';
  }
}
