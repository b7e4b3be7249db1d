import { loopGateOptions } from '../broker/loop-gate-options.ts';
import { createSession } from '../broker/session.ts';
import { selectTools } from '../tools/select-tools.ts';
import type { Tool } from '../tools/tool.ts';
import type { BrokerOptions } from './broker-options.ts';
import { checkBrokerOptions } from './check-broker-options.ts';
import { openRoot, type RootOptions } from './open-root.ts';
import { createSessionHost } from './session-host.ts';
import type { CallResult, LateDiagnostics } from './tool-host.ts';

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
 * @throws StoreError `not_found` where a root is no folder; TypeError on an option or a tool that there is not;
 * RangeError on a count of `loopGate` that is none; with `config` an Error naming the file that is wrong
 */
export async function createBroker(asked: BrokerOptions): Promise<Broker> {
  checkBrokerOptions(asked);
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
