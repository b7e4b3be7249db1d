import type { CommandExit } from '../run.ts';
import { type Complaints, readComplaints, withExit } from './complaints.ts';
import type { Ripgrep } from './ripgrep.ts';

const MAX_STDERR = 64 * 1024;
/** Broken pipe, connection reset: what it says when nobody reads on, before it is killed. */
const LOST_READER = /^.*\(os error (?:32|104)\)$/gm;

interface RipgrepRunOptions {
  readonly cwd: string;
  /** Milliseconds from the start until it is ended, whatever it is doing. */
  readonly budgetMs: number;
  readonly signal: AbortSignal | undefined;
}

/** How a run came to its end: by itself, because its reader had enough, because its time was up. */
export interface RipgrepEnd {
  readonly by: 'itself' | 'reader' | 'budget';
  readonly exit: CommandExit;
  readonly complaints: Complaints;
}

/** What a reader wants after a chunk: to go on, to stop now, or to stop in so many milliseconds. */
export type Wish = 'more' | 'enough' | { readonly enoughInMs: number };

/**
 * Runs ripgrep and hands its output to `read` as it comes. It never outlives the call: when the reader has enough, when
 * the time is up and on cancel it is killed at once.
 * @throws the signal's reason
 */
export async function runRipgrep(
  ripgrep: Ripgrep,
  args: readonly string[],
  options: RipgrepRunOptions,
  read: (chunk: Buffer) => Wish,
): Promise<RipgrepEnd> {
  options.signal?.throwIfAborted();
  // A configuration that the environment names could have it run a program on each file.
  const command = ripgrep.start(['--no-config', ...args], options.cwd);
  let by: RipgrepEnd['by'] = 'itself';
  const end = (why: RipgrepEnd['by']): void => {
    if (by === 'itself') by = why;
    command.kill('SIGKILL');
    command.stdout.destroy();
  };
  const onAbort = (): void => end('reader');
  options.signal?.addEventListener('abort', onAbort, { once: true });
  let timer = setTimeout(end, options.budgetMs, 'budget');
  let stderr = '';
  command.stderr.setEncoding('utf8');
  command.stderr.on('data', (text: string) => {
    if (stderr.length < MAX_STDERR) stderr += text;
  });
  const stderrEnd = new Promise((resolve) => command.stderr.once('close', resolve));
  let isLeaving = false;
  await new Promise<void>((resolve, reject) => {
    command.stdout.on('data', (chunk: Buffer) => {
      if (by !== 'itself') return;
      try {
        const wish = read(chunk);
        if (wish === 'enough') end('reader');
        else if (wish !== 'more' && !isLeaving) {
          isLeaving = true;
          clearTimeout(timer);
          timer = setTimeout(end, wish.enoughInMs, 'reader');
        }
      } catch (error) {
        end('reader');
        reject(error);
      }
    });
    command.stdout.once('close', resolve);
    command.stdout.once('error', () => resolve());
  }).finally(() => {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
  });
  const exit = await command.exit;
  await stderrEnd;
  options.signal?.throwIfAborted();
  if (by === 'itself') return { by, exit, complaints: withExit(readComplaints(stderr), exit) };
  return { by, exit, complaints: readComplaints(stderr.replace(LOST_READER, '')) };
}
