import { resolve } from 'node:path';
import { createSession } from '../broker/session.ts';
import { realPathOf } from '../workspace/disk-real-path.ts';
import { createDiskStore } from '../workspace/disk-store.ts';
import { StoreError } from '../workspace/document-store.ts';
import { type CommandOptions, toolChoiceOf } from './command-options.ts';
import { realRoot } from './open-root.ts';
import { joinResidentHost } from './resident-host.ts';
import type { ToolHost } from './tool-host.ts';
import { UsageError } from './usage-error.ts';
import { withoutUndefined } from './without-undefined.ts';

export interface HostOptions {
  /** Folders that exist; relative paths of calls start from the first. */
  readonly roots: readonly [string, ...string[]];
  /** Names the session; absent: one of its own. */
  readonly session?: string;
  readonly command: CommandOptions;
  /** Told where the resident process can't be had and all stays in this process. */
  readonly onAlone: (reason: string) => void;
}

/**
 * The tools for a command: from the resident process of the root, or, with `--in-process` and where no resident can be
 * had, from this one.
 * @throws UsageError on a tool that there is not, or a root that is no folder
 */
export async function openHost(options: HostOptions): Promise<ToolHost> {
  const { command } = options;
  const store = createDiskStore();
  const [first, ...further] = options.roots;
  const rootOf = (path: string): Promise<string> =>
    realRoot(path, store).catch((error: unknown) => {
      throw error instanceof StoreError ? new UsageError(error.message, { cause: error }) : error;
    });
  const roots: [string, ...string[]] = [await rootOf(first), ...(await Promise.all(further.map(rootOf)))];
  const allow = await Promise.all((command.allow ?? []).map((path) => realPathOf(resolve(path))));
  if (!command.inProcess && process.platform !== 'win32') {
    try {
      return await joinResidentHost({
        roots,
        allow,
        isUnconfined: command.unconfined ?? false,
        ...denyOf(command),
        ...untrustedOf(command),
        env: withoutUndefined({ ...process.env }) as Record<string, string>,
        choice: toolChoiceOf(command),
        ...(options.session !== undefined && { session: options.session }),
      });
    } catch (error) {
      if (error instanceof UsageError) throw error;
      options.onAlone(error instanceof Error ? error.message : String(error));
    }
  }
  return openOwnHost({ ...options, roots, allow });
}

/** Loads what a front of a resident never needs. */
async function openOwnHost(options: HostOptions & { readonly allow: readonly string[] }): Promise<ToolHost> {
  const [{ openRoot }, { createSessionHost }, { selectTools }] = await Promise.all([
    import('./open-root.ts'),
    import('./session-host.ts'),
    import('../tools/select-tools.ts'),
  ]);
  const { command, roots, allow } = options;
  const selected = selectTools(toolChoiceOf(command));
  if (selected.status === 'unknown') throw new UsageError(selected.message);
  const unconfined = command.unconfined && { unconfined: true as const };
  const root = await openRoot({ root: roots, allow, ...unconfined, ...denyOf(command), ...untrustedOf(command) });
  const session = createSession(root, options.session ?? crypto.randomUUID());
  return createSessionHost(session, selected.tools, () => root.close());
}

function untrustedOf({ untrusted }: CommandOptions): { readonly untrusted?: true } {
  return untrusted ? { untrusted } : {};
}

/** What no tool may touch; Bash only where it was named. */
function denyOf({ deny, tools }: CommandOptions): { readonly deny?: string[]; readonly commands?: 'asked_for' } {
  const hasBash = tools?.some((name) => name.toLowerCase() === 'bash');
  return { ...(deny && { deny }), ...(hasBash && { commands: 'asked_for' as const }) };
}
