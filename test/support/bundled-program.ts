import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '../..');
const built = new Map<string, string>();

/** A program among the supports as one file, which starts in a fraction of the time of many. */
export function bundledProgram(name: string): string {
  const known = built.get(name);
  if (known !== undefined) return known;
  // Within the package, and as deep in it as the sources are: it looks for the package's files from itself.
  const outfile = join(PROJECT, 'node_modules/.emend-test', `${process.pid}-${name}.mjs`);
  const banner =
    "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";
  execFileSync(join(PROJECT, 'node_modules/.bin/esbuild'), [
    join(import.meta.dirname, name),
    '--bundle',
    '--platform=node',
    '--format=esm',
    '--packages=external',
    `--banner:js=${banner}`,
    `--outfile=${outfile}`,
    '--log-level=error',
  ]);
  built.set(name, outfile);
  return outfile;
}
