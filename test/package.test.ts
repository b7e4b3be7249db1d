import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

function packedFiles(): readonly string[] {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
  const [tarball] = JSON.parse(said.toString()) as { files: { path: string }[] }[];
  return tarball?.files.map(({ path }) => path) ?? [];
}

/** Packages that a built file and those that it imports ask for. */
function importedPackages(file: string, seen = new Set<string>()): ReadonlySet<string> {
  const found = new Set<string>();
  if (seen.has(file)) return found;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, from] of text.matchAll(/^(?:import|(?:import|export) [\w*{}\s,$]+ from) ['"]([^'"]+)['"]/gm)) add(from);
  for (const [, from] of text.matchAll(/\bimport\(['"]([^'"]+)['"]\)/g)) add(from);
  return found;

  function add(from = ''): void {
    if (isBuiltin(from)) return;
    if (!from.startsWith('.')) found.add(/^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from);
    else for (const name of importedPackages(join(dirname(file), from), seen)) found.add(name);
  }
}

test('what is packed is what the package needs, each built file has its source, and licences are with what is bundled', () => {
  const files = packedFiles();
  for (const needed of [
    'LICENSE',
    'README.md',
    'config.schema.json',
    'dist/bin/THIRD-PARTY.txt',
    'dist/bin/cli.js',
    'dist/hosts/neovim/emend.lua',
    'dist/index.d.ts',
    'dist/index.js',
  ]) {
    expect(files).toContain(needed);
  }
  expect(files.filter((file) => /^(?:src|test|docs|\.build)\/|\.(?:map|tar\.gz|test\.\w+)$/.test(file))).toEqual([]);
  const built = files.filter((file) => /^dist\/(?!bin\/|vscode\/).*\.js$/.test(file));
  expect(built.length).toBeGreaterThan(300);
  const stale = built.filter((file) => !existsSync(join(root, file.replace(/^dist/, 'src').replace(/\.js$/, '.ts'))));
  expect(stale).toEqual([]);
  const notices = readFileSync(join(root, 'dist/bin/THIRD-PARTY.txt'), 'utf8');
  for (const name of ['zod', 'commander', 'execa', '@modelcontextprotocol/server', 'iconv-lite']) {
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  }
});

test('the library imports only packages that are installed with it', () => {
  const imported = [...importedPackages(join(root, 'dist/index.js'))];
  expect(imported).toContain('zod');
  expect(imported.filter((name) => !Object.hasOwn(manifest.dependencies, name))).toEqual([]);
});
