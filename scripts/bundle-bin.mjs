import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

/**
 * Bundles the command line into `dist/bin`: one file that is parsed for `--help`, chunks for what commands load. What
 * brings files of its own (servers, ripgrep, native code) stays a dependency.
 */
const root = new URL('..', import.meta.url).pathname;
await rm(`${root}dist/bin`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['src/hosts/cli.ts'],
  outdir: 'dist/bin',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  keepNames: true,
  legalComments: 'linked',
  external: [
    'pyright',
    'typescript',
    'typescript-7',
    'typescript-language-server',
    '@vscode/ripgrep',
    '@parcel/watcher',
  ],
  // Packages that are CommonJS ask for Node's modules by `require`.
  banner: { js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);" },
  logLevel: 'warning',
});
