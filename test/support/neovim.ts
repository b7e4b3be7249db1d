import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { CLI, type Emend } from './emend.ts';
import type { Project } from './project.ts';

const PLUGIN = join(import.meta.dirname, '../../src/hosts/neovim/emend.lua');

/** A Neovim without a screen, driven as a person would through its own server socket. */
export interface Neovim {
  readonly pid: number;
  /** A Vim expression's value, as text. */
  expr(expression: string): Promise<string>;
  /** Presses keys, in Vim's notation. */
  keys(keys: string): Promise<void>;
  /** The lines of a buffer. */
  lines(name: string): Promise<string>;
  /** Looks until an expression has this value. */
  until(expression: string, value: string, timeoutMs?: number): Promise<void>;
  kill(): void;
}

/** @param lua run after the start; `own_server` and the like go into `setup` */
export async function startNeovim(
  project: Project,
  emend: Emend,
  { lua = '', setup = '' }: { readonly lua?: string; readonly setup?: string } = {},
): Promise<Neovim> {
  const folder = join(emend.stateFolder, 'nvim');
  mkdirSync(folder, { recursive: true });
  const socket = join(folder, `${process.hrtime.bigint().toString(36)}.sock`);
  const command = [process.execPath, CLI, 'lsp'].map((word) => `'${word}'`).join(', ');
  const child: ChildProcess = spawn(
    'nvim',
    [
      ...['--headless', '--clean', '-n', '--listen', socket],
      ...['--cmd', 'set hidden nofixendofline'],
      ...['-c', `lua ${lua.replaceAll('\n', ' ')}`],
      ...['-c', `lua E = dofile('${PLUGIN}'); E.setup({ cmd = { ${command} }, root = '${project.root}', ${setup} })`],
    ],
    {
      cwd: project.root,
      env: { ...process.env, ...emend.env, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  onTestFinished(kill);
  const deadline = performance.now() + 60_000;
  while (!existsSync(socket)) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('Neovim did not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const remote = async (flag: string, text: string): Promise<string> => {
    const { stdout, stderr, exitCode } = await execa('nvim', ['--server', socket, flag, text], { reject: false });
    if (exitCode !== 0) throw new Error(`nvim ${flag} ${text}: ${stderr}`);
    // 0.7 prints what it was asked for among its messages.
    return stdout === '' ? stderr : stdout;
  };
  const expr = (expression: string): Promise<string> => remote('--remote-expr', expression);
  return {
    pid: child.pid ?? 0,
    expr,
    keys: async (keys) => {
      await remote('--remote-send', keys);
    },
    lines: (name) => expr(`join(getbufline('${name}', 1, '$'), "\\n")`),
    async until(expression, value, timeoutMs = 60_000) {
      const end = performance.now() + timeoutMs;
      let last = '';
      while (performance.now() < end) {
        last = (await expr(expression)).trim();
        if (last === value) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`${expression} is ${JSON.stringify(last)}, not ${JSON.stringify(value)}`);
    },
    kill,
  };
}
