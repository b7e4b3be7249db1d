import { cp, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { writeThirdParty } from './third-party.mjs';

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

/**
 * What is bundled but that nothing here asks for: parsed, it would be a third of the start. zod's messages in fifty
 * languages; the schema validator that the MCP SDK makes for questions to the person, which are never put.
 */
const leftOut = {
  name: 'left-out',
  setup(build) {
    build.onResolve({ filter: /\/locales\/index\.js$/ }, () => ({ path: 'locales', namespace: 'left-out' }));
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: 'shims',
      namespace: 'left-out',
    }));
    build.onLoad({ filter: /^locales$/, namespace: 'left-out' }, () => ({ contents: 'export {};' }));
    build.onLoad({ filter: /^shims$/, namespace: 'left-out' }, () => ({
      contents: `export { default as process } from 'node:process';
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('no schema validator is bundled'); }
}`,
    }));
  },
};

/** CommonJS packages that few runs need, as a file each that is read when the first of their functions is called. */
const late = { 'iconv-lite': ['decode', 'encode'], chardet: ['analyse'] };
const loadedLate = {
  name: 'loaded-late',
  setup(build) {
    build.onResolve({ filter: /^(iconv-lite|chardet)$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'loaded-late' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'loaded-late' }, ({ path }) => ({
      contents: `let loaded;
const load = () => (loaded ??= require('./${path}.cjs'));
export default { ${late[path].map((name) => `${name}: (...args) => load().${name}(...args)`).join(', ')} };`,
    }));
  },
};

const root = new URL('..', import.meta.url).pathname;
await rm(`${root}dist/bin`, { recursive: true, force: true });
const program = await build({
  absWorkingDir: root,
  metafile: true,
  entryPoints: ['src/hosts/cli.ts', 'src/hosts/planner-thread.ts'],
  outdir: 'dist/bin',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'linked',
  external: [...external, './iconv-lite.cjs', './chardet.cjs'],
  plugins: [leftOut, loadedLate, namedExports],
  // Its main file asks for its parts in a way that no bundler follows.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  // Packages that are CommonJS ask for Node's modules by `require`.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
const lateOnes = await build({
  absWorkingDir: root,
  metafile: true,
  entryPoints: Object.keys(late).map((name) => ({ in: name, out: name })),
  outdir: 'dist/bin',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'linked',
  logLevel: 'warning',
});
await writeThirdParty(`${root}dist/bin/THIRD-PARTY.txt`, root, [program.metafile, lateOnes.metafile]);

// The editor reads it where it is.
await cp(`${root}src/hosts/neovim`, `${root}dist/hosts/neovim`, { recursive: true });
