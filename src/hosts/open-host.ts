import { resolve } from 'node:path';
import { createSession } from '../broker/session.ts';
import type { ToolChoice } from '../tools/select-tools.ts';
import { realPathOf } from '../workspace/disk-real-path.ts';
import { createDiskStore } from '../workspace/disk-store.ts';
import { StoreError } from '../workspace/document-store.ts';
import { type CommandOptions, toolChoiceOf } from './command-options.ts';
import { configuredOptions } from './config/configured-options.ts';
import { NO_SETTINGS, type ReadSettings, readSettings } from './config/read-settings.ts';
import { realRoot } from './open-root.ts';
import { joinResidentHost } from './resident-host.ts';
import type { ToolHost } from './tool-host.ts';
import { UsageError } from './usage-error.ts';
import { withoutUndefined } from './without-undefined.ts';

interface HostOptions {
  /** Folders that exist; relative paths of calls start from the first. */
  readonly roots: readonly [string, ...string[]];
  /** Names the session; absent: one of its own. */
  readonly session?: string;
  /** The one tool that is asked for: an optional one is there then. */
  readonly called?: string;
  /** As they were given; settings of files come under them. */
  readonly command: CommandOptions;
  /** Told where the resident process can't be had and all stays in this process. */
  readonly onAlone: (reason: string) => void;
  /** Told of settings that do not count, and why. */
  readonly onNote?: (note: string) => void;
}

interface OpenedHost {
  readonly host: ToolHost;
  /** The options that hold: those that were given, and under them what files set for these roots. */
  readonly command: CommandOptions;
}

/**
 * The tools for a command: from the resident process of the root, or, with `--in-process` and where no resident can be
 * had, from this one.
 * @throws UsageError on a tool that there is not, a root that is no folder, or a file of settings that is wrong
 */
export async function openHost(options: HostOptions): Promise<OpenedHost> {
  const store = createDiskStore();
  const [first, ...further] = options.roots;
  const rootOf = (path: string): Promise<string> =>
    realRoot(path, store).catch((error: unknown) => {
      throw error instanceof StoreError ? new UsageError(error.message, { cause: error }) : error;
    });
  const roots: [string, ...string[]] = [await rootOf(first), ...(await Promise.all(further.map(rootOf)))];
  const read = options.command.config === false ? NO_SETTINGS : await readSettings(roots, options.command);
  for (const note of read.notes) options.onNote?.(note);
  const command = await configuredOptions(options.command, read);
  const allow = await Promise.all((command.allow ?? []).map((path) => realPathOf(resolve(path))));
  const choice = { ...toolChoiceOf(command), ...(options.called !== undefined && { called: options.called }) };
  const opening = { ...options, roots, command, allow, choice, given: options.command };
  try {
    const joined = await joinedHost(opening);
    return { host: joined ?? (await openOwnHost({ ...opening, read })), command };
  } catch (error) {
    throw error instanceof UsageError ? withOrigin(error, options.command, read) : error;
  }
}

type Opening = HostOptions & {
  readonly roots: [string, ...string[]];
  readonly allow: string[];
  readonly choice: ToolChoice;
  /** Without what files set. */
  readonly given: CommandOptions;
};

/** `undefined`: all has to be done in this process. */
async function joinedHost(options: Opening): Promise<ToolHost | undefined> {
  const { command, roots, allow, choice } = options;
  if (command.inProcess || process.platform === 'win32') return undefined;
  try {
    return await joinResidentHost({
      roots,
      allow,
      isUnconfined: command.unconfined ?? false,
      ...denyOf(command),
      ...untrustedOf(command),
      env: withoutUndefined({ ...process.env }) as Record<string, string>,
      choice,
      // What files say of it the process reads for itself.
      ...(options.given.logLevel && { logLevel: options.given.logLevel }),
      ...(options.session !== undefined && { session: options.session }),
    });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    options.onAlone(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** Loads what a front of a resident never needs. */
async function openOwnHost(options: Opening & { readonly read: ReadSettings }): Promise<ToolHost> {
  const [{ openRoot }, { createSessionHost }, { selectTools }, { rootSettingsOf }] = await Promise.all([
    import('./open-root.ts'),
    import('./session-host.ts'),
    import('../tools/select-tools.ts'),
    import('./config/root-settings.ts'),
  ]);
  const { command, roots, allow, choice, read } = options;
  const selected = selectTools(choice);
  if (selected.status === 'unknown') throw new UsageError(selected.message);
  const root = await openRoot({
    ...rootSettingsOf(command, read),
    root: roots,
    allow,
    ...(command.unconfined && { unconfined: true }),
    ...denyOf(command),
    ...untrustedOf(command),
  });
  for (const note of read.notes) root.log?.write('warn', 'config', { note });
  const session = createSession(root, options.session ?? crypto.randomUUID());
  return createSessionHost(session, selected.tools, () => root.close());
}

/** Who is told of a tool or an option that there is not should hear in which file it stands. */
function withOrigin(error: UsageError, flags: CommandOptions, { layers }: ReadSettings): UsageError {
  const names = ['tools', 'dialect', 'model', 'experimentalLsp', 'allowRefactor'] as const;
  const files = layers.filter(({ settings }) => names.some((name) => settings[name] !== undefined && !flags[name]));
  const [first] = files.map(({ file }) => file).reverse();
  return first === undefined ? error : new UsageError(`${error.message} (settings: ${first})`, { cause: error });
}

function untrustedOf({ untrusted }: CommandOptions): { readonly untrusted?: true } {
  return untrusted ? { untrusted } : {};
}

/** What no tool may touch; Bash only where it was named. */
function denyOf({ deny, tools }: CommandOptions): { readonly deny?: string[]; readonly commands?: 'asked_for' } {
  const hasBash = tools?.some((name) => name.toLowerCase() === 'bash');
  return { ...(deny && { deny }), ...(hasBash && { commands: 'asked_for' as const }) };
}
