import type { CommandOptions } from '../command-options.ts';
import type { RootOptions } from '../open-root.ts';
import { configuredOptions } from './configured-options.ts';
import { NO_SETTINGS, type ReadSettings, readSettings } from './read-settings.ts';

/** What of the settings belongs to the root, not to a session: its servers, what is reported, its log. */
export type RootSettings = Pick<RootOptions, 'severity' | 'servers' | 'logLevel' | 'untrusted'>;

/** The root's part of options that hold, with the servers that files name. */
export function rootSettingsOf(command: CommandOptions, { layers }: ReadSettings): RootSettings {
  const servers = layers.flatMap(({ file, settings }) =>
    settings.servers ? [{ file, servers: settings.servers }] : [],
  );
  return {
    ...(command.severity && { severity: command.severity }),
    ...(command.logLevel && { logLevel: command.logLevel }),
    ...(command.untrusted && { untrusted: command.untrusted }),
    ...(servers.length > 0 && { servers }),
  };
}

/** What a resident process of a root goes by. */
export interface ResidentSettings {
  readonly root: RootSettings;
  /** Milliseconds; absent where no one said. */
  readonly idleMs: number | undefined;
  readonly notes: readonly string[];
  /** Whether the files would have it otherwise now. @throws UsageError where one is wrong */
  haveChanged(): Promise<boolean>;
}

/** Reads them for a root (real path). @throws UsageError naming the file that is wrong */
export async function readResidentSettings(root: string, flags: CommandOptions): Promise<ResidentSettings> {
  const readNow = async () => {
    const read = flags.config === false ? NO_SETTINGS : await readSettings([root], flags);
    const command = await configuredOptions(flags, read);
    return { root: rootSettingsOf(command, read), idleMs: command.idle, notes: read.notes };
  };
  const read = await readNow();
  const printed = JSON.stringify([read.root, read.idleMs]);
  return {
    ...read,
    async haveChanged() {
      const now = await readNow();
      return JSON.stringify([now.root, now.idleMs]) !== printed;
    },
  };
}
