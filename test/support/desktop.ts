import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Resident, startResident } from '../../src/hosts/resident.ts';
import { joinResidentHost } from '../../src/hosts/resident-host.ts';
import type { ToolHost } from '../../src/hosts/tool-host.ts';

/** A state folder for the rest of the test: sockets, journal, undo. */
export function useStateFolder(): string {
  const before = process.env.XDG_STATE_HOME;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-state-')));
  process.env.XDG_STATE_HOME = folder;
  onTestFinished(() => {
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A resident process of a root, in this one. */
export async function startRoot(root: string): Promise<Resident> {
  const resident = await startResident({ root, idleMs: 60_000 });
  if (!resident) throw new Error(`${root} has a resident already`);
  onTestFinished(() => resident.stop());
  return resident;
}

/** An agent that calls tools from a folder. */
export async function startAgent(root: string, tools?: readonly string[]): Promise<ToolHost> {
  const host = await joinResidentHost({
    roots: [root],
    allow: [],
    isUnconfined: false,
    env: { PATH: process.env.PATH ?? '' },
    choice: tools ? { tools } : {},
  });
  onTestFinished(() => host.close());
  return host;
}
