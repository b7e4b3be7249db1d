import { join } from 'node:path';
import { createDiskStore } from '../../workspace/disk-store.ts';
import { StoreError } from '../../workspace/document-store.ts';
import { isTrusted } from '../../workspace/language-server/disk-server-overrides.ts';
import { rootStateFolder } from '../../workspace/local-state-folder.ts';
import { parseOptions } from '../command-options.ts';
import { realRoot } from '../open-root.ts';
import { LOG_NAME } from '../root-log.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { configPage } from './config-page.ts';
import { resolvedFor } from './configured-options.ts';
import { fixedLimits } from './fixed-limits.ts';
import { NO_SETTINGS, PROJECT_FILE, readSettings, userSettingsFile } from './read-settings.ts';

/**
 * `emend config`: every setting as it holds for a root with the options given, and who said so; then the limits that are fixed. Returns the exit status.
 * @throws UsageError naming the file that is wrong, as every command does that would go by it
 */
export async function config(rawOptions: Record<string, unknown>): Promise<number> {
  const flags = parseOptions(rawOptions);
  const [first = '.', ...further] = flags.root ?? [];
  const roots: [string, ...string[]] = [await rootAt(first), ...(await Promise.all(further.map(rootAt)))];
  const [root] = roots;
  const read = flags.config === false ? NO_SETTINGS : await readSettings(roots, flags);
  const settings = await resolvedFor(flags, read);
  const trusted = settings.untrusted.value !== true && (await isTrusted(root));
  const limits = await fixedLimits();
  if (flags.json) {
    const files = read.layers.map(({ from, file, notTaken }) => ({ from, file, notTaken }));
    const shown = Object.fromEntries(
      Object.entries(settings).map(([name, { value, origins }]) => [name, { value: value ?? null, origins }]),
    );
    process.stdout.write(
      `${JSON.stringify({ version, root, trusted, files, notes: read.notes, settings: shown, limits })}\n`,
    );
    return 0;
  }
  const places = {
    user: userSettingsFile(),
    project: `${root}/${PROJECT_FILE}`,
    log: join(rootStateFolder(root), LOG_NAME),
  };
  for (const line of configPage({ version, root, trusted, places, read, settings, limits }))
    process.stdout.write(`${line}\n`);
  return 0;
}

async function rootAt(path: string): Promise<string> {
  try {
    return await realRoot(path, createDiskStore());
  } catch (error) {
    throw error instanceof StoreError ? new UsageError(error.message, { cause: error }) : error;
  }
}
