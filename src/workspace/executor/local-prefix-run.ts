import { randomUUID } from 'node:crypto';
import { endOnAbort } from '../end-on-abort.ts';
import type { Run, RunningCommand, RunOptions } from '../run.ts';
import { killByMark, markedStart } from './marked-start.ts';
import { runScript } from './run-script.ts';
import { StartedStream } from './started-stream.ts';

/** A command line that reaches another place: `['docker', 'exec', '-i', 'C']`, `['ssh', 'H']`. */
export type CommandPrefix = readonly [string, ...string[]];

/**
 * Starts commands at the other end of a command line, where no more is needed than POSIX sh with coreutils or busybox.
 * What must be killed there is found by a name in its environment, by a second command: to end the near end alone would
 * leave the far one running.
 * @param start runs the prefix itself, on this machine
 * @throws Error where nothing can be run through the prefix
 */
export async function createPrefixRun(prefix: CommandPrefix, start: Run): Promise<Run> {
  const spell = await spellingFor(prefix, start);
  const [program] = prefix;
  const near: Run = (argv, options) => start(spell(argv), { ...options, cwd: '/' });

  return (argv, options) => {
    const mark = randomUUID().replaceAll('-', '');
    const { signal, ...plain } = options;
    const command = near(markedStart(mark, argv, options), { cwd: '/', stdin: plain.stdin });
    const stderr = new StartedStream(mark);
    command.stderr.pipe(stderr);
    const exit = command.exit.then(async (ended) => {
      const start = await stderr.start;
      if (start.status === 'started') return ended;
      const reason =
        start.reason ??
        (ended.kind === 'not_started' ? ended.reason : `${program} failed: ${start.said || 'no reason'}`);
      return { kind: 'not_started' as const, reason };
    });
    let isOver = false;
    void exit.then(() => {
      isOver = true;
    });
    const kill = (name: 'SIGTERM' | 'SIGKILL'): void => {
      // The near end goes after the far one, or nobody would be left to ask for it. Its end ends this command's pipes.
      void runScript(near, killByMark, { args: [mark, name.slice(3)] }).then(() => isOver || command.kill(name));
    };
    if (signal) endOnAbort(signal, kill, exit);
    const running: RunningCommand = { stdin: command.stdin, stdout: command.stdout, stderr, exit, kill };
    return running;
  };
}

type Spell = (argv: readonly string[]) => readonly [string, ...string[]];

/** Some hand their arguments on as they are (docker, bwrap), some join them for a shell to read (ssh): it is tried. */
async function spellingFor(prefix: CommandPrefix, start: Run): Promise<Spell> {
  const asTheyAre: Spell = (argv) => [...prefix, ...argv];
  const quoted: Spell = (argv) => [...prefix, argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')];
  let said = '';
  for (const spell of [asTheyAre, quoted]) {
    const near: Run = (argv, options: RunOptions) => start(spell(argv), options);
    const tried = await runScript(near, 'printf %s "$#$1"', { args: ['a b'] });
    if (tried.stdout.toString('utf8') === '1a b') return spell;
    said = tried.reason ?? (tried.stderr.trim() || said);
  }
  throw new Error(`nothing can be run through ${prefix.join(' ')}: ${said.slice(-300) || 'it says nothing'}`);
}
