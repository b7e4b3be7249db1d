import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FixtureProject, InstalledTypeScript } from './fixture-project.ts';

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');
const DJANGO = '/usr/lib/python3/dist-packages/django';

/** The sources of the npm package `effect`: over 500 TypeScript files; `Runtime.ts` has 7 errors of its own here. */
export function effectProject(typescript: InstalledTypeScript): FixtureProject {
  const project = projectAt((root) => {
    cpSync(join(MODULES, 'effect', 'src'), join(root, 'src'), { recursive: true });
    cpSync(join(MODULES, 'effect', 'package.json'), join(root, 'package.json'));
  });
  project.write('tsconfig.json', EFFECT_TSCONFIG);
  mkdirSync(project.path('node_modules'));
  symlinkSync(join(MODULES, typescript), project.path('node_modules/typescript'));
  symlinkSync(join(MODULES, '@types'), project.path('node_modules/@types'));
  return project;
}

const EFFECT_TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
  },
  include: ['src'],
});

/** Debian's `python3-django`: over 800 Python files. */
export function djangoProject(): FixtureProject {
  return projectAt((root) => cpSync(DJANGO, join(root, 'django'), { recursive: true }));
}

function projectAt(fill: (root: string) => void): FixtureProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'emend-real-')));
  fill(root);
  return {
    root,
    path: (name) => join(root, name),
    write: (name, text) => {
      writeFileSync(join(root, name), text);
      return join(root, name);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
