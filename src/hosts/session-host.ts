import { refusalText } from '../broker/refusal.ts';
import type { Session } from '../broker/session.ts';
import { callTool } from '../tools/call-tool.ts';
import type { Tool } from '../tools/tool.ts';
import { listTools } from './list-tools.ts';
import { logCall, nameOf } from './log-call.ts';
import type { CallResult, ToolHost } from './tool-host.ts';

/** Offers tools to one session in this process; `close` is what the composer says. After it every call is refused. */
export function createSessionHost(
  session: Session,
  tools: readonly Tool[],
  close: () => Promise<void> = async () => undefined,
): ToolHost {
  const listings = listTools(tools);
  let isClosed = false;
  return {
    tools: listings,
    async call(name, args, { options, ...call } = {}) {
      if (isClosed) return refusedAfterClose(session, name);
      const own = options ? { ...session, options: { ...session.options, ...options } } : session;
      const { log, clock } = session.root;
      if (!log?.keeps('error')) return callTool(tools, { name, args }, { session: own, ...call });
      const started = clock.now();
      try {
        const result = await callTool(tools, { name, args }, { session: own, ...call });
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
    close() {
      isClosed = true;
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
