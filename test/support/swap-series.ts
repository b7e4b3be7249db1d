import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createConfinement } from '../../src/workspace/confinement.ts';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import { type DocumentStore, StoreError } from '../../src/workspace/document-store.ts';
import { bundledProgram } from './bundled-program.ts';

/** Reads and writes `d/x` while another process swaps `d` for a link that leads out; nothing outside is touched or seen. */
export async function swapSeries(attempts: number): Promise<{ readonly written: number; readonly refused: number }> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'swapped-')));
  const [root, outside] = [join(base, 'ws'), join(base, 'outside')];
  for (const folder of [root, join(root, 'd'), outside]) await mkdir(folder);
  await writeFile(join(outside, 'x'), 'outside');
  await writeFile(join(root, 'd/x'), 'inside');
  const boundary: { allows(path: string): boolean } = { allows: (path) => confinement.allows(path) };
  const store = createDiskStore({ allows: (path) => boundary.allows(path) });
  const confinement = createConfinement({ roots: [root], store });
  const racer = fork(bundledProgram('swap-folder.ts'), [root, outside], { execArgv: [] });
  await once(racer, 'message');
  let [written, refused] = [0, 0];
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const outcome = await writeOnce(confinement, store, `inside ${attempt}`);
      if (outcome === 'written') written += 1;
      else refused += 1;
    }
  } finally {
    racer.kill('SIGKILL');
    await once(racer, 'exit');
  }
  expect(await readFile(join(outside, 'x'), 'utf8')).toBe('outside');
  expect(await readdir(outside)).toEqual(['x']);
  return { written, refused };
}

async function writeOnce(
  confinement: ReturnType<typeof createConfinement>,
  store: DocumentStore,
  text: string,
): Promise<'written' | 'refused'> {
  const place = await confinement.resolve('d/x');
  if (place.status === 'refused') return 'refused';
  try {
    const base = await store.read(place.path);
    const seen = base.kind === 'file' ? Buffer.from(base.bytes).toString() : base.text;
    expect(seen).toMatch(/^inside/);
    const { status } = await store.write(place.path, { base, bytes: Buffer.from(text), edits: [] });
    return status === 'written' ? 'written' : 'refused';
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    expect(['not_found', 'denied', 'io']).toContain(error.code);
    return 'refused';
  }
}
