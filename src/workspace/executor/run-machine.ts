import { createHash } from 'node:crypto';
import { type DocumentStore, StoreError } from '../document-store.ts';
import type { ServerMachine } from '../language-server/server-machine.ts';
import type { Run } from '../run.ts';
import { runScript } from './run-script.ts';

const PROBE = `
command -v node || echo -
uname -s; uname -m; uname -n
printf '%s\\n' "\${HOME:-/}"
`;

const ARCH: Readonly<Record<string, string>> = { x86_64: 'x64', amd64: 'x64', aarch64: 'arm64', arm64: 'arm64' };

/** What stands at the other end of an executor. */
export interface FarMachine extends ServerMachine {
  readonly home: string;
  /** What it calls itself: a container has its id. */
  readonly name: string;
}

/** The machine behind an executor, as far as finding language servers needs it. emend's own package is not there. */
export async function createRunMachine(run: Run, store: DocumentStore): Promise<FarMachine> {
  const { stdout } = await runScript(run, PROBE);
  const [node = '-', system = '', machine = '', name = '', home = '/'] = stdout.toString('utf8').trim().split('\n');
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
  };
}
