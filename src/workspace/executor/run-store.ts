import { createHash } from 'node:crypto';
import type { DocumentStore, StoredChange, StoredEntry, StoredStat } from '../document-store.ts';
import { StoreError } from '../document-store.ts';
import type { Run } from '../run.ts';
import { decodeEscaped } from '../visible-text.ts';
import { millisOf } from './file-times.ts';
import { type LookAnswer, LookShell } from './look-shell.ts';
import { runScript, type ScriptEnd } from './run-script.ts';
import { storeErrorOfExit } from './store-exit.ts';
import { READ_BLOCKS, READ_WHOLE, STORE_EXIT } from './store-scripts.ts';
import { REMOVE, WRITE } from './write-scripts.ts';

/** A store over an executor; `close` ends the shell that it asks. */
interface RunStore extends DocumentStore {
  close(): void;
}

/** Above this no file is held in memory whole. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Up to this a file comes through the shell that is there; a larger one is worth a process of its own. */
const MAX_ANSWER_BYTES = 512 * 1024;
const BLOCK_BYTES = 64 * 1024;
const NOTHING = new Uint8Array();

/**
 * Files wherever an executor starts its commands, with no more there than POSIX sh with coreutils or busybox. A write
 * lands whole or not at all and keeps mode, owner and links; extended attributes are beyond those tools.
 */
export function createRunStore(run: Run): RunStore {
  const shell = new LookShell(run);
  const look = async (name: string, words: readonly string[]): Promise<LookAnswer> => {
    const [path = ''] = words;
    // `$(…)` would drop it, and another file be looked at.
    if (/\n(?:\/|$)/.test(path)) {
      throw new StoreError('io', `${JSON.stringify(path)} has a name that ends with a line end. Rename it with Bash`);
    }
    try {
      return await shell.ask(name, words);
    } catch (error) {
      throw new StoreError('io', `${path} can't be reached: ${(error as Error).message}`, error);
    }
  };
  const fail = (path: string, end: LookAnswer | ScriptEnd): StoreError => {
    const said = 'lines' in end ? end.lines.join('\n') : end.code === 0 ? '' : end.stdout.toString('latin1');
    return storeErrorOfExit(path, { ...end, said });
  };

  return {
    async read(path, signal) {
      signal?.throwIfAborted();
      const answer = await look('op_read', [path, String(MAX_ANSWER_BYTES)]);
      if (answer.code === 0) return { kind: 'file', bytes: Buffer.from(answer.lines.join(''), 'base64') };
      if (answer.code !== STORE_EXIT.tooLarge) throw fail(path, answer);
      const [, size = 0] = statNumbers(await look('op_stat', [path]));
      if (size > MAX_FILE_BYTES) {
        throw new StoreError('too_large', `${path} has ${size} bytes; the most is ${MAX_FILE_BYTES}. Use Bash for it`);
      }
      const end = await runScript(run, READ_WHOLE, { args: [path], ...(signal && { signal }) });
      signal?.throwIfAborted();
      if (end.code !== 0) throw fail(path, end);
      return { kind: 'file', bytes: end.stdout };
    },

    async stat(path) {
      const answer = await look('op_stat', [path]);
      if (answer.code === STORE_EXIT.notFound) return undefined;
      if (answer.code !== 0) throw fail(path, answer);
      const [mode = 0, size = 0, mtime = 0, ctime = 0, uid = 0, gid = 0, links = 1] = statNumbers(answer);
      const [facts = '', changed = ''] = (answer.lines[0] ?? '').split(' / ');
      const inode = facts.split(' ')[7];
      const identity = { owner: { uid, gid }, links, ...(inode !== undefined && { inode }) };
      const ctimeMs = millisOf(ctime, changed);
      return {
        kind: kindOf(mode),
        size,
        mtimeMs: millisOf(mtime, facts) ?? mtime * 1000,
        ...(ctimeMs !== undefined && { ctimeMs }),
        mode: mode & 0o7777,
        ...identity,
      };
    },

    async readBytes(path, start, length) {
      const first = Math.floor(start / BLOCK_BYTES);
      const count = Math.ceil((start + length) / BLOCK_BYTES) - first;
      const args = [path, BLOCK_BYTES, first, count].map(String);
      const end = await runScript(run, READ_BLOCKS, { args });
      if (end.code !== 0) throw fail(path, end);
      return end.stdout.subarray(start - first * BLOCK_BYTES, start - first * BLOCK_BYTES + length);
    },

    async realPath(path) {
      const answer = await look('op_real', [path]);
      if (answer.code !== 0 || answer.lines[0] === undefined) throw fail(path, answer);
      return told(answer.lines[0]);
    },

    async list(path) {
      const answer = await look('op_list', [path]);
      if (answer.code !== 0) throw fail(path, answer);
      return answer.lines
        .map((line): StoredEntry => {
          const cut = line.indexOf('/');
          return { name: told(line.slice(cut + 1)), kind: line.slice(0, cut) as StoredEntry['kind'] };
        })
        .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    },

    async write(path, change, signal) {
      const { base, bytes } = change;
      if (base?.kind === 'buffer') return { status: 'changed' };
      signal?.throwIfAborted();
      const args = [path, base ? sha256(base.bytes) : '-', sha256(bytes), ...originWords(change)];
      // From here on it is not cancelled: half a write would have to be undone by whoever comes next.
      const end = await runScript(run, WRITE, { args, input: change.origin?.kind === 'of' ? NOTHING : bytes });
      if (end.code === STORE_EXIT.changed) return { status: 'changed' };
      if (end.code !== 0) throw fail(path, end);
      const said = end.stdout.toString('utf8').split('\n').filter(Boolean);
      const made = said.filter((line) => line.startsWith('/')).reverse();
      const lost = said.find((line) => line.startsWith('lost '))?.slice('lost '.length);
      return {
        status: 'written',
        ...(made.length > 0 && { made }),
        ...(said.includes('moved') && { isMoved: true }),
        ...(lost !== undefined && { lost }),
      };
    },

    async nameOf(inode, folder) {
      const [name] = (await look('op_name', [inode, folder])).lines;
      return name === undefined ? undefined : told(name);
    },

    async check(path, kind) {
      const answer = await look('op_check', [path, kind]);
      if (answer.code !== 0) throw fail(path, answer);
    },

    async remove(path, base, folders = []) {
      if (base.kind === 'buffer') return { status: 'changed' };
      const innermostFirst = [...folders].sort((a, b) => b.length - a.length);
      const end = await runScript(run, REMOVE, { args: [path, sha256(base.bytes), ...innermostFirst] });
      if (end.code === STORE_EXIT.changed) return { status: 'changed' };
      if (end.code !== 0) throw fail(path, end);
      return { status: 'written' };
    },

    close: () => shell.close(),
  };
}

/** A name as the scripts tell it. */
function told(line: string): string {
  return line.startsWith('=') ? decodeEscaped(Buffer.from(line.slice(1), 'base64')) : line;
}

function statNumbers(answer: LookAnswer): readonly number[] {
  const [mode = '0', ...others] = (answer.lines[0] ?? '').split(' ');
  return [Number.parseInt(mode, 16), ...others.map(Number)];
}

/** Which file it is to be, and mode and owner of a new one, as the script takes them. */
function originWords({ mode, owner, origin }: StoredChange): readonly string[] {
  const which = origin?.kind === 'of' ? [origin.goes ? 'goes' : 'of', origin.path] : [origin?.kind ?? '-', '-'];
  return [...which, mode === undefined ? '-' : mode.toString(8), owner ? `${owner.uid}:${owner.gid}` : '-'];
}

/** By the type bits of a mode. */
function kindOf(mode: number): StoredStat['kind'] {
  const type = mode & 0o170000;
  return type === 0o100000 ? 'file' : type === 0o040000 ? 'directory' : 'other';
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
