import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '..', '..');

/** The TypeScript that a fixture project has in its `node_modules`. */
export type InstalledTypeScript = 'typescript-5' | 'typescript' | 'typescript-7';

export interface FixtureProject {
  /** Absolute, links resolved. */
  readonly root: string;
  path(name: string): string;
  write(name: string, text: string): string;
  remove(): void;
}

/** A new folder with these files, outside any repository; with `typescript`, that package is installed in it. */
export function fixtureProject(
  files: Readonly<Record<string, string>>,
  options: { readonly typescript?: InstalledTypeScript } = {},
): FixtureProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'emend-fixture-')));
  const project: FixtureProject = {
    root,
    path: (name) => join(root, name),
    write: (name, text) => {
      const path = join(root, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  if (options.typescript) {
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    symlinkSync(join(REPOSITORY, 'node_modules', options.typescript), join(root, 'node_modules', 'typescript'));
  }
  return project;
}

export const TSCONFIG = JSON.stringify({
  compilerOptions: { strict: true, target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext', types: [] },
  include: ['**/*.ts'],
});
