import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Takes away what earlier builds made of sources that are gone: it would be packed. */
const dist = join(import.meta.dirname, '../dist');
const src = join(import.meta.dirname, '../src');
/** Made by bundling, which clears them itself. */
const bundled = new Set(['bin', 'vscode']);

for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  const file = relative(dist, join(entry.parentPath, entry.name));
  if (!entry.isFile() || bundled.has(file.split(/[\\/]/)[0])) continue;
  const source = file.replace(/(?:\.d\.ts|\.js(?:\.map)?)$/, '.ts');
  if (source !== file && !existsSync(join(src, source))) await rm(join(dist, file));
}
