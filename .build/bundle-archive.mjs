import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run bundle`: one archive for Linux x64 machines without Node (glibc): Node itself, the command line, ripgrep,
 * TypeScript's native server and pyright. Unpacked anywhere, `bin/emend` runs; it needs no network.
 */
const root = new URL('..', import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
if (process.platform !== 'linux' || process.arch !== 'x64') {
  throw new Error(`the archive is of this machine's own programs, and this is ${process.platform} ${process.arch}`);
}
const name = `emend-${version}-linux-x64`;
const folder = join(root, 'dist', name);
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'bin'), { recursive: true });

for (const part of ['package.json', 'LICENSE', 'README.md', 'servers', 'dist/bin']) {
  if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true });
}
cpSync(process.execPath, join(folder, 'bin/node'));
// Where Node's own archives, and the packages of systems, put the licence that goes with it.
const licence = ['LICENSE', 'share/doc/nodejs/LICENSE', 'share/doc/nodejs/copyright']
  .map((path) => join(realpathSync(process.execPath), '../..', path))
  .find((path) => existsSync(path));
if (licence === undefined) throw new Error(`the licence of ${process.execPath} is not where Node's archives have it`);
cpSync(licence, join(folder, 'bin/node-LICENSE.txt'));
execFileSync('strip', ['--strip-unneeded', join(folder, 'bin/node')], { stdio: 'ignore' });
writeFileSync(
  join(folder, 'bin/emend'),
  `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
exec "$here/bin/node" "$here/dist/bin/cli.js" "$@"
`,
);
chmodSync(join(folder, 'bin/emend'), 0o755);

const taken = new Set();
for (const needed of ['pyright', 'typescript-7', 'typescript-language-server', '@vscode/ripgrep', '@parcel/watcher']) {
  take(needed);
}

/** A package with what it depends on, as far as it is installed here. */
function take(packageName) {
  const from = join(root, 'node_modules', packageName);
  if (taken.has(packageName) || !existsSync(from)) return;
  taken.add(packageName);
  const to = join(folder, 'node_modules', packageName);
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.map') });
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (!existsSync(join(from, 'node_modules', dependency))) take(dependency);
  }
}

const archive = join(root, 'dist', `${name}.tar.gz`);
execFileSync('tar', ['-czf', archive, '-C', join(root, 'dist'), name]);
rmSync(folder, { recursive: true });
process.stdout.write(`dist/${name}.tar.gz ${(statSync(archive).size / 1024 / 1024).toFixed(0)} MB\n`);
