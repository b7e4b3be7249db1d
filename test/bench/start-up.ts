import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { listTools } from '../../src/hosts/list-tools.ts';
import { createBroker } from '../../src/index.ts';
import { defaultTools } from '../../src/tools/tools.ts';
import { type BenchRow, elapsed, limitRow, median, ratioRow, sideBySide } from './bench-row.ts';

const BIN = join(import.meta.dirname, '../../dist/bin/cli.js');
const ROUNDS = 15;

/** What it costs to have emend: starts, memory, tokens, a call that has nothing to wait for. */
export async function benchStartUp(): Promise<readonly BenchRow[]> {
  const root = mkdtempSync(join(tmpdir(), 'emend-bench-'));
  writeFileSync(join(root, 'a.txt'), 'alpha\n'.repeat(40));
  try {
    const inputs = 'the bundled bin beside node -e 0';
    const bareNode = () => elapsed(() => run(['-e', '0']));
    const help = await sideBySide(ROUNDS, () => elapsed(() => run([BIN, '--help'])), bareNode);
    const toList = await sideBySide(ROUNDS, () => elapsedToFirstList(root), bareNode);
    const { residentMb, warmMs } = await inUse(root);
    return [
      ratioRow({ figure: 'emend --help', inputs, ...help, most: 2 }),
      ratioRow({ figure: 'emend mcp --in-process to its first tools/list', inputs, ...toList, most: 3.5 }),
      limitRow({
        figure: 'idle resident size, one process, no servers',
        inputs: 'emend mcp --in-process, one Read before',
        ours: residentMb,
        unit: 'MB',
        most: 80,
      }),
      limitRow({
        figure: 'a warm call over stdio',
        inputs: 'Read of 40 lines, 200 calls',
        ours: warmMs,
        unit: 'ms',
        most: 2,
      }),
      limitRow({
        figure: 'the default tools’ schemas',
        inputs: 'tools/list, o200k',
        ours: encode(JSON.stringify(listTools(defaultTools))).length,
        unit: 'tokens',
        most: 1300,
      }),
      limitRow({
        figure: 'a successful exact edit',
        inputs: '--snippet never, o200k',
        ours: await editTokens(root),
        unit: 'tokens',
        most: 25,
      }),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function run(args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    spawn(process.execPath, [...args], { stdio: 'ignore' }).once('exit', () => resolve());
  });
}

/** A client over stdio that knows no more than it must, so that what is timed is the server. */
class BareClient {
  readonly process: ChildProcess;
  readonly #waiting = new Map<number, (message: { result?: unknown }) => void>();
  #last = 0;

  constructor(root: string) {
    this.process = spawn(process.execPath, [BIN, 'mcp', '--in-process', '--root', root], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!this.process.stdout) throw new Error('no pipe');
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as { id?: number; result?: unknown };
      if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
    });
  }

  request(method: string, params: object): Promise<{ result?: unknown }> {
    this.#last += 1;
    const id = this.#last;
    this.process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async list(): Promise<void> {
    const clientInfo = { name: 'bench', version: '1' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.process.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    await this.request('tools/list', {});
  }

  end(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.process.once('exit', () => resolve()));
    this.process.stdin?.end();
    return ended;
  }
}

async function elapsedToFirstList(root: string): Promise<number> {
  let client: BareClient | undefined;
  const ms = await elapsed(async () => {
    client = new BareClient(root);
    await client.list();
  });
  await client?.end();
  return ms;
}

async function inUse(root: string): Promise<{ readonly residentMb: number; readonly warmMs: number }> {
  const client = new BareClient(root);
  await client.list();
  const read = () => client.request('tools/call', { name: 'Read', arguments: { file_path: 'a.txt' } });
  await read();
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const status = readFileSync(`/proc/${client.process.pid}/status`, 'utf8');
  const residentMb = Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024;
  for (let warm = 0; warm < 50; warm += 1) await read();
  const times: number[] = [];
  for (let call = 0; call < 200; call += 1) times.push(await elapsed(read));
  await client.end();
  return { residentMb, warmMs: median(times) };
}

async function editTokens(root: string): Promise<number> {
  const broker = await createBroker({ root, snippet: 'never' });
  const name = join(root, 'src/services/session-store.txt');
  await broker.call('Write', { file_path: name, content: 'one\ntwo\nthree\n' });
  const { text } = await broker.call('Edit', { file_path: name, old_string: 'two', new_string: '2\n2' });
  await broker.close();
  return encode(text).length;
}
