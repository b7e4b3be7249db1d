import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import type { ServerDefinition } from '../workspace/language-server/server-definition.ts';

type InstallOutcome =
  | { readonly status: 'installed'; readonly folder: string; readonly packages: readonly string[] }
  | { readonly status: 'not_installed'; readonly reason: string };

/**
 * Installs a catalogued server into a folder of its own below `folder`, in the version that this Node runs. Runs npm,
 * with no package's scripts; the only thing in emend that downloads.
 */
export async function installServer(
  definition: ServerDefinition,
  { folder, nodeVersion }: { readonly folder: string; readonly nodeVersion: string },
): Promise<InstallOutcome> {
  const { name, install, npm } = definition;
  if (npm.length === 0) {
    return { status: 'not_installed', reason: `${name} is not an npm package. Install it yourself: ${install}` };
  }
  const fitting = npm.find(({ node }) => node <= Number.parseInt(nodeVersion.replace(/^v/, ''), 10));
  if (!fitting) {
    const least = Math.min(...npm.map(({ node }) => node));
    return {
      status: 'not_installed',
      reason: `${name} needs Node ${least}, this is ${nodeVersion}. Run emend with a newer one.`,
    };
  }
  const own = join(folder, name);
  await mkdir(own, { recursive: true });
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  const run = await execa('npm', ['install', '--prefix', own, ...flags, ...fitting.packages], {
    cwd: own,
    stdin: 'ignore',
    reject: false,
  });
  if (run.failed) {
    const said = run.stderr.trim().split('\n').slice(0, 3).join(' | ');
    return {
      status: 'not_installed',
      reason: `npm install ${fitting.packages.join(' ')} failed: ${said || run.message}`,
    };
  }
  return { status: 'installed', folder: own, packages: fitting.packages };
}
