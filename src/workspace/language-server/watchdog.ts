import type { Run, RunningCommand } from '../run.ts';

/**
 * Reads `+ GROUP` and `- GROUP`, one a line, and when its input ends (also because we were killed) ends the groups
 * that are left: first with a signal that they may handle, then with one that they may not.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=' '
while read -r what group; do
  case $what in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
for group in $groups; do kill -TERM "-$group" 2>/dev/null; done
[ "$groups" = ' ' ] || sleep 2
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
`;

/**
 * Waits for one line before it becomes the command, at lower priority. If we die before the line is sent, which is
 * before the watchdog knows of it, its input ends and so does it.
 */
const GATE = 'read -r go && exec nice -n 5 "$@"';

/** The argv that runs `argv` once a line has been written to its input. */
export function behindGate(argv: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return ['sh', '-c', GATE, 'sh', ...argv];
}

/**
 * One small process that outlives us just long enough to end every server. It is started with the first one, in a
 * process group of its own, and ends when it is closed or we are gone.
 */
export class Watchdog {
  readonly #run: Run;
  readonly #cwd: string;
  #process: RunningCommand | undefined;
  readonly #groups = new Set<number>();

  constructor(run: Run, cwd: string) {
    this.#run = run;
    this.#cwd = cwd;
  }

  /** Settles once the line is out of our hands: from then on the group does not outlive us. */
  async add(group: number): Promise<void> {
    this.#groups.add(group);
    await this.#tell(`+ ${group}\n`);
  }

  remove(group: number): void {
    // Once closed it is not started again for one that is gone.
    if (this.#groups.delete(group) && this.#process) void this.#tell(`- ${group}\n`);
  }

  /** Ends the watchdog, and with it the groups that were not removed. */
  async close(): Promise<void> {
    const watching = this.#process;
    this.#process = undefined;
    if (!watching) return;
    watching.stdin?.end();
    await watching.exit;
  }

  #tell(line: string): Promise<void> {
    const stdin = this.#started().stdin;
    return new Promise((resolve) => {
      if (!stdin || stdin.destroyed) resolve();
      else stdin.write(line, () => resolve());
    });
  }

  #started(): RunningCommand {
    if (this.#process) return this.#process;
    const started = this.#run(['sh', '-c', SCRIPT], { cwd: this.#cwd, stdin: 'pipe' });
    started.stdout.resume();
    started.stderr.resume();
    this.#process = started;
    void started.exit.then((exit) => {
      // Where there is no `sh` there is no watchdog: servers then go by the end of their input.
      if (this.#process !== started || exit.kind === 'not_started') return;
      // Somebody killed it: another takes over, with all that are alive.
      this.#process = undefined;
      for (const group of this.#groups) void this.#tell(`+ ${group}\n`);
    });
    return started;
  }
}
