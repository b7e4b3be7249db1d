import type { Run } from '../run.ts';

/** How a script ended, and what it printed. */
export interface ScriptEnd {
  /** Absent: it did not start, for `reason`, or was ended by a signal. */
  readonly code: number | undefined;
  readonly reason?: string;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs a sh script with arguments (`$1`…) and an input, and gives all that it prints. Never rejects. */
export async function runScript(
  run: Run,
  script: string,
  options: { readonly args?: readonly string[]; readonly input?: Uint8Array; readonly signal?: AbortSignal } = {},
): Promise<ScriptEnd> {
  const command = run(['sh', '-c', script, 'sh', ...(options.args ?? [])], {
    cwd: '/',
    stdin: options.input ? 'pipe' : 'none',
    ...(options.signal && { signal: options.signal }),
  });
  // One that ends early breaks the pipe; its exit says why.
  command.stdin?.on('error', () => undefined);
  command.stdin?.end(options.input);
  const [stdout, stderr, exit] = await Promise.all([all(command.stdout), all(command.stderr), command.exit]);
  const reason = exit.kind === 'not_started' ? exit.reason : exit.kind === 'signal' ? exit.signal : undefined;
  return {
    code: exit.kind === 'code' ? exit.code : undefined,
    ...(reason !== undefined && { reason }),
    stdout,
    stderr: stderr.toString('utf8'),
  };
}

async function all(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  } catch {
    // It was torn down; the exit tells the rest.
  }
  return Buffer.concat(chunks);
}
