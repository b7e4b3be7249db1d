import type { Session } from '../broker/session.ts';
import { callTool } from '../tools/call-tool.ts';
import type { Tool } from '../tools/tool.ts';
import { listTools } from './list-tools.ts';
import type { ToolHost } from './tool-host.ts';

/** Offers tools to one session in this process; `close` is what the composer says. */
export function createSessionHost(
  session: Session,
  tools: readonly Tool[],
  close: () => Promise<void> = async () => undefined,
): ToolHost {
  const listings = listTools(tools);
  return {
    tools: listings,
    call(name, args, { options, ...call } = {}) {
      const own = options ? { ...session, options: { ...session.options, ...options } } : session;
      return callTool(tools, { name, args }, { session: own, ...call });
    },
    async flush(ms) {
      const { diagnostics } = session.root;
      await diagnostics.settle(session.id, ms);
      return diagnostics.takeReflow(session.id);
    },
    close,
  };
}
