import type { SessionOptions } from '../../broker/session.ts';
import type { ToolChoice } from '../../tools/select-tools.ts';
import { createDiskStore } from '../../workspace/disk-store.ts';
import { type CommandOptions, sessionOptionsOf, toolChoiceOf } from '../command-options.ts';
import { type RootOptions, realRoot } from '../open-root.ts';
import { configuredOptions } from './configured-options.ts';
import { readSettings } from './read-settings.ts';
import { rootSettingsOf } from './root-settings.ts';

/** What files set for a broker of the library. */
interface BrokerSettings {
  readonly choices: ToolChoice & Partial<SessionOptions>;
  readonly root: Partial<RootOptions>;
}

/** What a program asks for that settings are joined with, or give way to. */
type AskedSettings = Pick<RootOptions, 'root' | 'deny' | 'allow' | 'untrusted'> & Pick<ToolChoice, 'dialect' | 'model'>;

/**
 * Reads the settings for a program that asks for some of it itself.
 * @throws StoreError where a root is no folder; UsageError naming the file that is wrong
 */
export async function readBrokerSettings(asked: AskedSettings): Promise<BrokerSettings> {
  const { deny, allow, dialect, model, untrusted } = asked;
  const store = createDiskStore();
  const [first, ...further] = typeof asked.root === 'string' ? [asked.root] : asked.root;
  const roots: [string, ...string[]] = [
    await realRoot(first, store),
    ...(await Promise.all(further.map((root) => realRoot(root, store)))),
  ];
  const flags: CommandOptions = {
    ...(deny && { deny: [...deny] }),
    ...(allow && { allow: [...allow] }),
    ...(dialect !== undefined && { dialect }),
    ...(model !== undefined && { model }),
    ...(untrusted && { untrusted }),
  };
  const read = await readSettings(roots, { untrusted });
  const command = await configuredOptions(flags, read);
  return {
    choices: { ...toolChoiceOf(command), ...sessionOptionsOf(command) },
    root: {
      ...rootSettingsOf(command, read),
      ...(command.deny && { deny: command.deny }),
      ...(command.allow && { allow: command.allow }),
      ...(command.unconfined && { unconfined: command.unconfined }),
    },
  };
}
