import { createSession } from '../../src/broker/session.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { editTool } from '../../src/tools/edit.ts';
import { openToolRoom } from './tool-room.ts';

/** Bytes that are held after garbage was collected, in the JavaScript heap and in buffers beside it. */
export interface HeldBytes {
  readonly heap: number;
  readonly buffers: number;
}

/**
 * Run as a process of its own with `--expose-gc`: makes 1,000 edits, and prints what is held after the first 200, 600
 * and all. Its argument says on how many files; each has 400 lines.
 */
const files = Number(process.argv[2] ?? 1);
const textOf = (file: number): string =>
  Array.from({ length: 400 }, (_, line) => `const value${line} = compute(${file}, ${line});\n`).join('');
const room = await openToolRoom(
  Object.fromEntries(Array.from({ length: files }, (_, file) => [`f${file}.unserved`, textOf(file)])),
);
const session = createSession(room.root, 'heap', { diagnosticsBudgetMs: 0 });
const held: HeldBytes[] = [];
for (let n = 0; n < 1_000; n++) {
  const round = Math.floor(n / files);
  const args = {
    file_path: `f${n % files}.unserved`,
    old_string: `compute(${n % files}, ${round % 400});`,
    new_string: `compute(${n % files}, ${round % 400}); // ${n}`,
  };
  const { ok, text } = await callTool([editTool], { name: 'Edit', args }, { session });
  if (!ok) throw new Error(text);
  if (n === 199 || n === 599 || n === 999) held.push(await heldBytes());
}
process.stdout.write(JSON.stringify(held));
await room.close();

async function heldBytes(): Promise<HeldBytes> {
  for (let times = 0; times < 4; times++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers };
}
