import { join } from 'node:path';
import { vi } from 'vitest';
import { createSession } from '../../src/broker/session.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { replay } from '../../src/hosts/replay.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { defaultTools, optionalTools } from '../../src/tools/tools.ts';
import { rootStateFolder } from '../../src/workspace/local-state-folder.ts';
import { PATIENT } from './tool-room.ts';

/** A call of a tool, or what someone else does between calls. */
export type Step = readonly [tool: string, args: object] | (() => void);

/** Runs these steps in one session on a folder, and gives the journal that they left. */
export async function journalOf(folder: string, steps: readonly Step[]): Promise<string> {
  const root = { ...(await openRoot({ root: folder })), looks: PATIENT };
  const session = createSession(root, 's', { diagnosticsBudgetMs: 0 });
  for (const step of steps) {
    if (typeof step === 'function') step();
    else await callTool([...defaultTools, ...optionalTools], { name: step[0], args: step[1] }, { session });
  }
  await root.close();
  return join(rootStateFolder(folder), 'journal.jsonl');
}

/** What `emend replay` prints and its exit status. */
export async function printedBy(journal: string, root: string) {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(...String(text).trimEnd().split('\n'));
    return true;
  });
  try {
    return { status: await replay(journal, { root }), lines };
  } finally {
    write.mockRestore();
  }
}
