import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { writeThirdParty } from './third-party.mjs';

/**
 * The VS Code extension as a folder that `@vscode/vsce package` makes a .vsix of (vsce wants Node 22 or later):
 * `dist/vscode`, one file of code beside its manifest. What runs in the editor is only a pipe: emend itself is installed
 * apart.
 */
const root = new URL('..', import.meta.url).pathname;
const folder = `${root}dist/vscode`;
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  metafile: true,
  entryPoints: ['src/hosts/vscode/extension.ts'],
  outfile: 'dist/vscode/extension.cjs',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minify: true,
  keepNames: true,
  legalComments: 'linked',
  external: ['vscode'],
  logLevel: 'warning',
});
await writeThirdParty(`${folder}/THIRD-PARTY.txt`, root, [metafile]);
const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
const manifest = JSON.parse(await readFile(`${root}src/hosts/vscode/package.json`, 'utf8'));
await writeFile(`${folder}/package.json`, `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`);
await copyFile(`${root}LICENSE`, `${folder}/LICENSE`);
await copyFile(`${root}docs/desktop.md`, `${folder}/README.md`);
process.stdout.write('dist/vscode is ready: in it, run npx @vscode/vsce package --no-dependencies\n');
