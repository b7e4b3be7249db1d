import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Every file and folder below a folder, with its mode: `src/a.ts` to `644 text`, `src/` to `755`. */
export function treeOf(folder: string): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const mode = (lstatSync(path).mode & 0o7777).toString(8);
    const name = relative(folder, path);
    if (entry.isDirectory()) tree[`${name}/`] = mode;
    else tree[name] = `${mode} ${readFileSync(path).toString('latin1')}`;
  }
  return tree;
}

/** The text of every file below a folder. */
export function textsOf(folder: string): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) texts[relative(folder, path)] = readFileSync(path, 'utf8');
  }
  return texts;
}

/** Writes files, with the folders above them. */
export function writeTree(folder: string, files: Readonly<Record<string, string | Uint8Array>>, mode?: number): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    if (mode !== undefined) chmodSync(path, mode);
  }
}
