import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface Project {
  /** Absolute, links resolved. */
  readonly root: string;
  path(name: string): string;
  read(name: string): string;
  write(name: string, content: string | Uint8Array): void;
  /** A hash of every file's name and bytes. */
  hash(): string;
}

/** A folder with these files, gone when the test is. */
export function makeProject(files: Readonly<Record<string, string | Uint8Array>>): Project {
  const project = makeLastingProject(files);
  onTestFinished(() => rmSync(project.root, { recursive: true, force: true }));
  return project;
}

/** The same, for whoever removes it: a `beforeAll` shares one among tests. */
export function makeLastingProject(files: Readonly<Record<string, string | Uint8Array>>): Project {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'emend-test-')));
  const path = (name: string): string => join(root, name);
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  return { root, path, write, read: (name) => readFileSync(path(name), 'utf8'), hash: () => hashOf(root) };
}

/** Makes `node_modules/typescript` of the project that version of TypeScript which the alias names. */
export function linkTypescript(project: Project, alias: 'typescript' | 'typescript-5' | 'typescript-7'): void {
  mkdirSync(project.path('node_modules'), { recursive: true });
  const target = join(import.meta.dirname, '../../node_modules', alias);
  symlinkSync(target, project.path('node_modules/typescript'));
}

function hashOf(folder: string): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    hash.update(path);
    if (entry.isFile()) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}
