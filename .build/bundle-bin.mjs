import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

/**
 * Bundles the command line into `dist/bin`: one file that is parsed for `--help`, chunks for what commands load. What
 * brings files of its own (servers, ripgrep, native code) stays a dependency.
 */
const external = [
  'pyright',
  'typescript',
  'typescript-7',
  'typescript-language-server',
  '@vscode/ripgrep',
  '@parcel/watcher',
  'editorconfig',
];

/**
 * A package that is CommonJS and loaded by `import()` would come as nothing but its default export once it is a chunk:
 * its names are looked up now and exported one by one.
 */
const namedExports = {
  name: 'named-exports',
  setup(build) {
    build.onResolve({ filter: /^[a-z@]/ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import' || external.includes(path)) return undefined;
      return { path, namespace: 'named-exports', pluginData: resolveDir };
    });
    build.onLoad({ filter: /.*/, namespace: 'named-exports' }, async ({ path, pluginData }) => {
      const names = Object.keys(await import(path)).filter(
        (name) => /^[A-Za-z_$]\w*$/.test(name) && name !== 'default',
      );
      const contents = `import * as all from ${JSON.stringify(path)};\n${names
        .map((name) => `export const ${name} = all[${JSON.stringify(name)}];`)
        .join('\n')}`;
      return { contents, resolveDir: pluginData };
    });
  },
};

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
  external,
  plugins: [namedExports],
  // Packages that are CommonJS ask for Node's modules by `require`.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
