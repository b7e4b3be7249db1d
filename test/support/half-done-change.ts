import { createSession } from '../../src/broker/session.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { applyPatchTool } from '../../src/tools/apply-patch.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import type { DocumentStore } from '../../src/workspace/document-store.ts';
import { turnPatch } from './five-files.ts';

/**
 * `change ROOT TURN WRITE`: begins a change of five files and is killed at this write (1-based; before it, or after it
 * where the number has a `+`). `open ROOT - WRITE`: opens the root, which recovers, and may be killed in it likewise.
 */
const [mode = '', folder = '', turn = '', at = ''] = process.argv.slice(2);
const disk = createDiskStore();
let writes = 0;

async function meet<T>(operation: () => Promise<T>): Promise<T> {
  writes += 1;
  const isMet = writes === Number.parseInt(at, 10);
  if (isMet && !at.endsWith('+')) process.kill(process.pid, 'SIGKILL');
  const result = await operation();
  if (isMet) process.kill(process.pid, 'SIGKILL');
  return result;
}

const store: DocumentStore = {
  ...disk,
  write: (path, change, signal) => meet(() => disk.write(path, change, signal)),
  remove: (path, base, folders) => meet(() => disk.remove(path, base, folders)),
};
const root = await openRoot({ root: folder, store });
if (mode === 'change') {
  const session = createSession(root, 'test');
  await callTool([applyPatchTool], { name: 'apply_patch', args: { input: turnPatch(Number(turn)) } }, { session });
}
await root.close();
