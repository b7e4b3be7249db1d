import type { CommandExit, Run, RunningCommand } from '../run.ts';

/** A ripgrep that was seen to run where the files are. */
export interface Ripgrep {
  /** A path, or a name on PATH. */
  readonly command: string;
  /** Starts it without an open stdin. The arguments must name a path. */
  start(args: readonly string[], cwd: string): RunningCommand;
}

type RipgrepSearch =
  | { readonly status: 'found'; readonly ripgrep: Ripgrep }
  | { readonly status: 'missing'; readonly message: string };

const found = new WeakMap<Run, Promise<RipgrepSearch>>();

/**
 * The bundled ripgrep where it runs, else the one on PATH, else the one that `bring` puts where the files are; it is
 * looked for once.
 */
export function findRipgrep(
  run: Run,
  cwd: string,
  bring: () => Promise<string | undefined> | undefined = () => undefined,
): Promise<RipgrepSearch> {
  const known = found.get(run) ?? lookEverywhere(run, cwd, bring);
  found.set(run, known);
  return known.then((result) => {
    if (result.status === 'missing') found.delete(run);
    return result;
  });
}

async function lookEverywhere(
  run: Run,
  cwd: string,
  bring: () => Promise<string | undefined> | undefined,
): Promise<RipgrepSearch> {
  const here = await lookForRipgrep(run, cwd, [...(await bundledRipgrep()), 'rg']);
  if (here.status === 'found') return here;
  const brought = await bring();
  return brought === undefined ? here : lookForRipgrep(run, cwd, [brought]);
}

/** The first of these commands that runs. */
export async function lookForRipgrep(run: Run, cwd: string, commands: readonly string[]): Promise<RipgrepSearch> {
  const reasons: string[] = [];
  for (const command of commands) {
    const exit = await exitOf(run([command, '--version'], { cwd, stdin: 'none' }));
    if (exit.kind === 'code' && exit.code === 0) {
      const start: Ripgrep['start'] = (args, folder) => run([command, ...args], { cwd: folder, stdin: 'none' });
      return { status: 'found', ripgrep: { command, start } };
    }
    reasons.push(`${command}: ${exit.kind === 'not_started' ? exit.reason : 'it does not run here'}`);
  }
  const looked = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  return {
    status: 'missing',
    message: `no ripgrep runs here${looked}. Install it (apt-get install ripgrep, brew install ripgrep), or search with Bash.`,
  };
}

async function bundledRipgrep(): Promise<readonly string[]> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return [rgPath];
  } catch {
    // Installed without its optional packages: the one on PATH may do.
    return [];
  }
}

function exitOf(command: RunningCommand): Promise<CommandExit> {
  command.stdout.resume();
  command.stderr.resume();
  return command.exit;
}
