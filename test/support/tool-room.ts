import { mkdtempSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSession } from '../../src/broker/session.ts';
import { createExecutor } from '../../src/hosts/create-executor.ts';
import { type OpenRoot, openRoot, type RootOptions } from '../../src/hosts/open-root.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import type { Tool, ToolCall, ToolResult } from '../../src/tools/tool.ts';
import type { LookBudgets } from '../../src/workspace/look-budgets.ts';
import { through } from './far.ts';
import { busyboxRoot, systemRoot } from './other-root.ts';

// What roots keep between runs goes where it is swept, not into the home of whoever runs the tests.
process.env.XDG_STATE_HOME ??= mkdtempSync(join(tmpdir(), 'emend-test-state-'));

/** A busy machine takes its time, and what an answer knows does not hang on it. */
export const PATIENT: LookBudgets = { countMs: 60_000, passedOverMs: 60_000, changedMs: 60_000 };

/** A folder of its own with a root and a session on it. */
export interface ToolRoom {
  readonly folder: string;
  readonly root: OpenRoot;
  /** Where its files are reached, for a further root on the same folder. */
  readonly ports: Partial<RootOptions>;
  call(tool: Tool, args: unknown, options?: Omit<ToolCall, 'session'>): Promise<ToolResult>;
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  close(): Promise<void>;
}

export async function openToolRoom(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: (folder: string) => Partial<RootOptions> = () => ({}),
): Promise<ToolRoom> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'emend-room-')));
  const write = async (more: Readonly<Record<string, string | Uint8Array>>) => {
    for (const [name, content] of Object.entries(more)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
  };
  await write(files);
  const own = options(folder);
  const far = await throughOtherRoot([folder, ...(own.allow ?? [])]);
  const root = { ...(await openRoot({ root: folder, ...far?.ports, ...own })), looks: PATIENT };
  const session = createSession(root, 'test');
  return {
    folder,
    root,
    ports: far?.ports ?? {},
    write,
    call: (tool, args, rest = {}) => callTool([tool], { name: tool.name, args }, { ...rest, session }),
    async close() {
      await root.close();
      far?.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function throughOtherRoot(folders: readonly string[]) {
  if (through === undefined) return undefined;
  const { prefix, remove } = through === 'busybox' ? busyboxRoot(...folders) : systemRoot(...folders);
  return { ports: await createExecutor(prefix), remove };
}
