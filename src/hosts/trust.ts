import { realpath, stat } from 'node:fs/promises';
import {
  isTrusted,
  projectServersFile,
  setTrust,
  trustedFolders,
} from '../workspace/language-server/disk-server-overrides.ts';
import { UsageError } from './usage-error.ts';

/**
 * `emend trust [--remove] [DIR]`: whether the project's own `.emend/servers.json` and all of its settings count. Returns the exit status: 1
 * where the folder stays trusted because one above it is.
 * @throws UsageError where DIR is no folder, or `--remove` names one that was not trusted
 */
export async function trust(dir: string, { remove }: { readonly remove?: true }): Promise<number> {
  const folder = await realpath(dir).catch(() => undefined);
  if (folder === undefined || !(await stat(folder)).isDirectory()) {
    throw new UsageError(`${dir} is not a folder. Name a project that exists.`);
  }
  if (!remove) {
    await setTrust(folder, 'trusted');
    process.stdout.write(
      `trusted: ${folder} and all below it; all its settings (emend config) and ${projectServersFile(folder)} count\n`,
    );
    return 0;
  }
  const trusted = await trustedFolders();
  if (!trusted.includes(folder)) {
    const names = trusted.length === 0 ? 'No folder is.' : `These are: ${trusted.join(', ')}`;
    throw new UsageError(`--remove ${folder}: it is not named as trusted. ${names}`);
  }
  await setTrust(folder, 'untrusted');
  if (!(await isTrusted(folder))) {
    process.stdout.write(`no longer trusted: ${folder}\n`);
    return 0;
  }
  process.stderr.write(
    `emend: ${folder} is still trusted, because a folder above it is. emend trust --remove that one\n`,
  );
  return 1;
}
