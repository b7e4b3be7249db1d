import { spawn } from 'node:child_process';
import { type BigIntStats, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attributesOf } from './disk-file-traits.ts';
import type { HeldFolder } from './disk-folder.ts';

const BLOCK_BYTES = 512;
const DEADLINE_MS = 2000;

/**
 * Makes an empty file that has these attributes, as `attributesOf` gave them, and is its owner's alone; `some`: not all
 * could be given, `none`: there is no file.
 */
export async function makeWithAttributes(
  folder: HeldFolder,
  name: string,
  attributes: string,
): Promise<'all' | 'some' | 'none'> {
  await extract(folder, Buffer.concat([extendedHeader(attributes), entryHeader(name, { type: '0', size: 0 })]));
  const made = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  if (!made?.isFile()) return 'none';
  return (await attributesAt(folder, name, made)) === attributes ? 'all' : 'some';
}

/** Asked by the name that it has: a held folder is held by this process alone. */
function attributesAt(folder: HeldFolder, name: string, stat: BigIntStats): Promise<string | undefined> {
  return attributesOf(join(folder.path, name), stat);
}

/** What can't be given is passed over by tar, which then ends with a complaint: it is looked what came of it. */
async function extract(folder: HeldFolder, archive: Buffer): Promise<void> {
  const into = dirname(folder.at('x')).replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
  const args = ['--extract', '--file=-', '--acls', '--xattrs', '--xattrs-include=*', '--no-same-owner', '-C', into];
  const child = spawn('tar', args, {
    // A relative folder of PATH is not to be one of the project.
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' },
    timeout: DEADLINE_MS,
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(Buffer.concat([archive, Buffer.alloc(2 * BLOCK_BYTES)]));
  await new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.on('close', () => resolve());
  });
}

/** Of POSIX pax: the records belong to the entry behind them. */
function extendedHeader(records: string): Buffer {
  const bytes = Buffer.from(records, 'latin1');
  const padding = Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES);
  return Buffer.concat([entryHeader('attributes', { type: 'x', size: bytes.length }), bytes, padding]);
}

function entryHeader(name: string, { type, size }: { readonly type: '0' | 'x'; readonly size: number }): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const put = (at: number, text: string): number => header.write(text, at, 'latin1');
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
  put(0, name);
  put(100, octal(0o600, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(size, 11));
  put(136, octal(0, 11));
  put(156, type);
  put(257, 'ustar\x0000');
  // The sum is made with blanks in its own place.
  put(148, ' '.repeat(8));
  put(
    148,
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
  );
  return header;
}
