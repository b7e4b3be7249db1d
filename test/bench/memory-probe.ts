import { bashTool } from '../../src/tools/bash.ts';
import { grepTool } from '../../src/tools/grep.ts';
import { readTool } from '../../src/tools/read.ts';
import { openToolRoom } from '../support/tool-room.ts';

/**
 * Run as a process of its own with `--expose-gc`: prints how far its resident size rises over idle during one call.
 * Arguments: the file with 1 GB, the folder with the long line, what to do.
 */
const [, , what = '', path = ''] = process.argv;
const room = await openToolRoom({ 'warm.txt': 'warm\n' }, () => ({ unconfined: true }));
const calls = {
  read: () => room.call(readTool, { file_path: path, offset: Number(process.argv[4]) }),
  bash: () =>
    room.call(bashTool, { command: 'head -c 2147483648 /dev/zero | tr "\\0" b; echo; echo END', timeout: 300_000 }),
  lines: () =>
    room.call(bashTool, {
      command: 'yes "a line of some forty bytes, or a few more" | head -c 2147483648; echo END',
      timeout: 300_000,
    }),
  grep: () => room.call(grepTool, { pattern: 'NEEDLE', path, output_mode: 'content' }),
};

// Idle is after everything was used once: code that is loaded late is no growth.
for (let times = 0; times < 3; times++) {
  await room.call(readTool, { file_path: 'warm.txt' });
  await room.call(bashTool, { command: 'seq 20000' });
  await room.call(grepTool, { pattern: 'warm', output_mode: 'content' });
}
globalThis.gc?.();
await new Promise((resolve) => setTimeout(resolve, 300));
const idle = process.memoryUsage.rss();
let peak = idle;
const timer = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5);
const startedAt = performance.now();
const { text } = await calls[what as keyof typeof calls]();
clearInterval(timer);
const ms = performance.now() - startedAt;
process.stdout.write(
  `${JSON.stringify({ idle, peak, over: peak - idle, ms, end: text.slice(-120), bytes: text.length })}\n`,
);
await room.close();
