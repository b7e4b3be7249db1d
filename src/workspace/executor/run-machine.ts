import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { type DocumentStore, StoreError } from '../document-store.ts';
import type { ServerMachine } from '../language-server/server-machine.ts';
import type { Run } from '../run.ts';
import { millisOf } from './file-times.ts';
import { runScript } from './run-script.ts';

const PROBE = `
command -v node || echo -
uname -s; uname -m; uname -n
printf '%s\\n' "\${HOME:-/}"
f=$(mktemp "\${TMPDIR:-/tmp}/emend-XXXXXX") && stat -c '%Y %y' "$f"
rm -f "$f"
`;

const ARCH: Readonly<Record<string, string>> = { x86_64: 'x64', amd64: 'x64', aarch64: 'arm64', arm64: 'arm64' };

/** What stands at the other end of an executor. */
export interface FarMachine extends ServerMachine {
  readonly home: string;
  /** What it calls itself: a container has its id. */
  readonly name: string;
  /** Milliseconds by which the clock there is ahead of ours, and not less; `undefined`: it can't be told. */
  readonly clockLeadMs: number | undefined;
}

/** The machine behind an executor, as far as finding language servers needs it. emend's own package is not there. */
export async function createRunMachine(run: Run, store: DocumentStore, clock: Clock): Promise<FarMachine> {
  const { stdout, here } = await probe(run, clock);
  const [node = '-', system = '', machine = '', name = '', home = '/', time = ''] = stdout.trim().split('\n');
  const orAbsent = (error: unknown): undefined => {
    if (error instanceof StoreError) return undefined;
    throw error;
  };
  const readText = async (path: string): Promise<string | undefined> => {
    const content = await store.read(path).catch(orAbsent);
    if (!content) return undefined;
    return content.kind === 'buffer' ? content.text : Buffer.from(content.bytes).toString('utf8');
  };
  return {
    readText,
    // Times there are of whole seconds, in which a file may change twice.
    async stamp(path) {
      const text = await readText(path);
      return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
    },
    exists: async (path) => (await store.stat(path).catch(orAbsent)) !== undefined,
    names: async (path) => ((await store.list(path).catch(orAbsent)) ?? []).map(({ name: entry }) => entry),
    realPath: async (path) => (await store.realPath(path).catch(orAbsent)) ?? path,
    async onPath(command) {
      const found = await runScript(run, 'command -v "$1"', { args: [command] });
      const path = found.stdout.toString('utf8').trim();
      return found.code === 0 && path.startsWith('/') ? path : undefined;
    },
    node: node === '-' ? 'node' : node,
    platform: system.toLowerCase() || 'linux',
    arch: ARCH[machine] ?? machine,
    ownFolder: '/nowhere',
    serversFolder: '/nowhere',
    tooWide: ['/', home],
    home,
    name,
    clockLeadMs: leadOf(time, here),
  };
}

/** What the probe prints, and our time when the last of it came: the end of a command is heard of much later. */
async function probe(run: Run, clock: Clock): Promise<{ readonly stdout: string; readonly here: number }> {
  const command = run(['sh', '-c', PROBE], { cwd: '/', stdin: 'none' });
  let stdout = '';
  let here = clock.date().getTime();
  command.stderr.resume();
  command.stdout.setEncoding('utf8');
  command.stdout.on('data', (text: string) => {
    stdout += text;
    here = clock.date().getTime();
  });
  const closed = new Promise((resolve) => command.stdout.once('close', resolve));
  await Promise.all([command.exit, closed]);
  return { stdout, here };
}

/** The time of a new file there, as `stat` tells it, held against ours just after. */
function leadOf(time: string, here: number): number | undefined {
  const there = millisOf(Number(time.split(' ')[0]), time);
  return there === undefined ? undefined : there - here;
}
