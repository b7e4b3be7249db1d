import { type LoopGateOptions, loopGateOptions } from '../broker/loop-gate-options.ts';
import { createSession, type SessionOptions } from '../broker/session.ts';
import { selectTools, type ToolChoice } from '../tools/select-tools.ts';
import type { Tool } from '../tools/tool.ts';
import { openRoot, type RootOptions } from './open-root.ts';
import { createSessionHost } from './session-host.ts';
import type { CallResult, LateDiagnostics } from './tool-host.ts';

/** What a program can say of the broker that it embeds. */
export interface BrokerOptions extends Omit<RootOptions, 'servers'>, ToolChoice {
  /**
   * `files`: what is not said here is as the user's file of settings and the project's have it, as on the command line;
   * their deny lists hold beside this one. By default no such file is read.
   */
  readonly config?: 'files';
  /** Language servers by name: `off`, or members that take the place of those in the catalogue. */
  readonly servers?: Readonly<Record<string, unknown>>;
  /** Names the caller's run: what it read, what is pending for it. One of its own by default. */
  readonly session?: string;
  /** When an edit's answer shows its lines; `always` by default. */
  readonly snippet?: SessionOptions['snippet'];
  /** Milliseconds that an edit waits for its diagnostics; 3,000 by default. */
  readonly diagnosticsBudgetMs?: number;
  /** Said of diagnostics that are pending: how they can still be had. */
  readonly pendingHint?: string;
  /** Write over a file that was not read is refused; by default it is written, and its old content kept. */
  readonly strictWrite?: true;
  /** How often a call may fail in the same way before it is held back or noted, and whether Bash is held back too. */
  readonly loopGate?: Partial<LoopGateOptions>;
}

/** What goes with one call. */
export interface CallOptions {
  /** Cancels the call. What is written by then stays written and says so. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
  /** The caller gives up after this many milliseconds: what takes longer is answered before with how to ask again. */
  readonly answerWithinMs?: number;
}

/** A tool as a model is told of it. */
export type OfferedTool = Pick<Tool, 'name' | 'description' | 'args' | 'hints'>;

/** An edit broker on one root, in this process. */
export interface Broker {
  /** Absolute, links resolved; the first of several. */
  readonly root: string;
  /** What a model is told of the tools; `args` is a zod schema. */
  readonly tools: readonly OfferedTool[];
  /** Runs one tool. Refusals and failures of the world are results with `ok: false`; what is thrown is a bug. */
  call(tool: string, args: unknown, options?: CallOptions): Promise<CallResult>;
  /** Waits at most `ms` for diagnostics that are pending, and hands over those that came in, each once. */
  flush(ms: number): Promise<readonly LateDiagnostics[]>;
  /** Ends every language server. */
  close(): Promise<void>;
}

/**
 * A broker for programs that embed emend; its language servers start when they are first needed.
 * @throws StoreError `not_found` where a root is no folder; TypeError on the name of a tool that there is not;
 * RangeError on a count of `loopGate` that is none; with `config` an Error naming the file that is wrong
 */
export async function createBroker(asked: BrokerOptions): Promise<Broker> {
  const options: Configured = asked.config === 'files' ? await withFiles(asked) : asked;
  const selected = selectTools(options);
  if (selected.status === 'unknown') throw new TypeError(selected.message);
  const loopGate = loopGateOptions(options.loopGate ?? {});
  const hasBash = options.tools?.some((name) => name.toLowerCase() === 'bash');
  const root = await openRoot({
    ...options,
    servers: [
      ...(options.fromFiles ?? []),
      ...(options.servers ? [{ file: 'createBroker', servers: options.servers }] : []),
    ],
    ...(hasBash && { commands: 'asked_for' }),
  });
  const session = createSession(root, options.session ?? crypto.randomUUID(), {
    ...(options.snippet && { snippet: options.snippet }),
    ...(options.diagnosticsBudgetMs !== undefined && { diagnosticsBudgetMs: options.diagnosticsBudgetMs }),
    ...(options.pendingHint !== undefined && { pendingHint: options.pendingHint }),
    ...(options.strictWrite && { strictWrite: true }),
    loopGate,
  });
  const { call, flush, close } = createSessionHost(session, selected.tools, () => root.close());
  return {
    root: root.root,
    tools: selected.tools.map(({ name, description, args, hints }) => ({ name, description, args, hints })),
    call,
    flush,
    close,
  };
}

type Configured = BrokerOptions & { readonly fromFiles?: RootOptions['servers'] };

async function withFiles(asked: BrokerOptions): Promise<Configured> {
  const { readBrokerSettings } = await import('./config/broker-settings.ts');
  const { choices, root } = await readBrokerSettings(asked);
  const { servers: fromFiles = [], ...more } = root;
  const { strictWrite, ...others } = choices;
  return {
    ...others,
    ...(strictWrite && { strictWrite }),
    ...more,
    ...asked,
    // Lists hold beside each other.
    ...(more.deny && { deny: more.deny }),
    ...(more.allow && { allow: more.allow }),
    loopGate: { ...choices.loopGate, ...asked.loopGate },
    fromFiles,
  };
}
