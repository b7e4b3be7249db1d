import type { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that may be read before what was read is given back. */
const MAX_PENDING = 4 * 1024 * 1024;

let pending = 0;
let collect: (() => void) | undefined;

/**
 * Notes that a buffer of so many bytes was read that will soon be of no use, and gives such buffers back from time to
 * time. They lie outside of the heap, so the engine lets some 32 MB of them pile up before it looks, and what they took
 * stays with the process. A collection of what is young takes under a millisecond.
 */
export function countYoungBuffer(bytes: number): void {
  pending += bytes;
  if (pending < MAX_PENDING) return;
  pending = 0;
  collect ??= youngCollection();
  collect();
}

/** Counts each chunk that comes in on a stream, whoever reads it and however. */
export function countYoungChunks(stream: Readable): void {
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk instanceof Uint8Array) countYoungBuffer(chunk.length);
    return push(chunk, encoding);
  };
}

function youngCollection(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  // Later contexts of the program that we are part of look as they did.
  if (!('gc' in globalThis)) setFlagsFromString('--no-expose-gc');
  return typeof gc === 'function' ? () => gc({ type: 'minor' }) : () => {};
}
