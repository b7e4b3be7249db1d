import { dirname, posix } from 'node:path';
import { StoreError } from '../document-store.ts';
import type { Run } from '../run.ts';
import type { CreateScratch, Scratch } from '../search/disk-scratch.ts';
import { bundledRipgrepFor } from './local-ripgrep.ts';
import type { FarMachine } from './run-machine.ts';
import { runScript } from './run-script.ts';

/** Where the files are not on this machine: what has to be brought to them. */
export interface FarSide {
  readonly machine: FarMachine;
  /** What the start of a command there took, in milliseconds. */
  readonly startMs: number;
  /** As `createScratch`, at the other end. */
  readonly createScratch: CreateScratch;
  /** Puts our own ripgrep into the temp folder there, once; `undefined` where it would not run there. */
  putRipgrep(): Promise<string | undefined>;
  /** Removes what was put there. */
  close(): Promise<void>;
}

const MAKE_FOLDER = `mktemp -d "\${TMPDIR:-/tmp}/emend-XXXXXX"`;
const PUT = `mkdir -p "\${1%/*}" && cat >"$1" && chmod "$2" "$1"`;

/** What emend keeps on an executor's side while a root is open; `startMs` is that side's time of the start. */
export function createFarSide(run: Run, machine: FarMachine, startMs: number): FarSide {
  let ripgrep: Promise<string | undefined> | undefined;
  const make = async (files: ReadonlyMap<string, string | Uint8Array>, mode: string): Promise<Scratch> => {
    const made = await runScript(run, MAKE_FOLDER);
    const folder = made.stdout.toString('utf8').trim();
    if (made.code !== 0 || !posix.isAbsolute(folder)) {
      throw new StoreError('io', `no temporary folder can be made there: ${made.reason ?? made.stderr.trim()}`);
    }
    const remove = async (): Promise<void> => {
      await runScript(run, 'rm -rf "$1"', { args: [folder] });
    };
    for (const [name, content] of files) {
      const args = [posix.join(folder, name), mode];
      const put = await runScript(run, PUT, { args, input: Buffer.from(content) });
      if (put.code === 0) continue;
      await remove();
      throw new StoreError('io', `${args[0]} can't be written there: ${put.reason ?? put.stderr.trim()}`);
    }
    return { folder, remove };
  };
  const bring = async (): Promise<string | undefined> => {
    const binary = await bundledRipgrepFor(machine);
    if (!binary) return undefined;
    const { folder } = await make(new Map([['rg', binary]]), '700');
    return posix.join(folder, 'rg');
  };
  return {
    machine,
    startMs,
    createScratch: (files) => make(files, '600'),
    putRipgrep() {
      ripgrep ??= bring();
      return ripgrep;
    },
    async close() {
      const path = await ripgrep?.catch(() => undefined);
      if (path !== undefined) await runScript(run, 'rm -rf "$1"', { args: [dirname(path)] });
    },
  };
}
