import { refusalText } from '../broker/refusal.ts';
import type { Session } from '../broker/session.ts';
import { callTool } from '../tools/call-tool.ts';
import type { Tool } from '../tools/tool.ts';
import { CallsInFlight } from './calls-in-flight.ts';
import { listTools } from './list-tools.ts';
import { logCall, nameOf } from './log-call.ts';
import type { CallResult, ToolHost } from './tool-host.ts';

/** How long calls that were given up may take to end what they began. */
const END_MS = 3000;

/**
 * Offers tools to one session in this process; `close` is what the composer says. It gives up the calls that are not
 * over, so that no command runs on without anybody who waits for it; after it every call is refused.
 */
export function createSessionHost(
  session: Session,
  tools: readonly Tool[],
  close: () => Promise<void> = async () => undefined,
): ToolHost {
  const listings = listTools(tools);
  const calls = new CallsInFlight();
  let isClosed = false;
  return {
    tools: listings,
    async call(name, args, { options, ...call } = {}) {
      if (isClosed) return refusedAfterClose(session, name);
      const own = options ? { ...session, options: { ...session.options, ...options } } : session;
      const { log, clock } = session.root;
      const run = (): Promise<CallResult> =>
        calls.during(call.signal, (signal) => callTool(tools, { name, args }, { ...call, session: own, signal }));
      if (!log?.keeps('error')) return run();
      const started = clock.now();
      try {
        const result = await run();
        logCall(log, session, { args, result, ms: clock.now() - started });
        return result;
      } catch (error) {
        // A bug of ours, which its caller hears of: here it has its place among the calls.
        const stack = error instanceof Error ? error.stack : String(error);
        log.write('error', 'bug', { session: nameOf(session), tool: name, stack });
        throw error;
      }
    },
    async flush(ms) {
      const { diagnostics } = session.root;
      await diagnostics.settle(session.id, ms);
      return diagnostics.takeReflow(session.id);
    },
    async close() {
      isClosed = true;
      await calls.giveUp(END_MS);
      return close();
    },
  };
}

async function refusedAfterClose(session: Session, tool: string): Promise<CallResult> {
  const message = 'this broker is closed; nothing was run. Create another one.';
  const id = await session.root.nextReceiptId();
  const receipt = { id, tool, ok: false, code: 'unavailable', ms: 0, files: [] } as const;
  return { ok: false, text: refusalText({ code: 'unavailable', message }), receipt };
}
