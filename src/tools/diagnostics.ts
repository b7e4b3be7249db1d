import { z } from 'zod';
import { listed } from '../broker/outcome-words.ts';
import { refuse } from '../broker/refusal.ts';
import type { FileState } from '../diagnostics/diagnostics-board.ts';
import { beginChange, refusedResult } from './change-result.ts';
import { defineTool, type ToolCall } from './tool.ts';

const MAX_FILES = 50;
const DEFAULT_WAIT_MS = 10_000;

/** What language servers say now of one file, or of those that were changed. */
export const diagnosticsTool = defineTool({
  name: 'Diagnostics',
  description:
    'What language servers say now: of file_path, or of all files changed in this session (since: session, all, or a receipt id).',
  args: z.strictObject({
    file_path: z.string().optional(),
    since: z.string().optional(),
    severity: z.enum(['error', 'warning', 'information', 'hint']).optional(),
    wait_ms: z.int().min(0).max(600_000).optional(),
  }),
  hints: { readOnlyHint: true },
  async run(args, call) {
    const change = await beginChange('Diagnostics', call);
    const { session } = call;
    const waitMs = args.wait_ms ?? DEFAULT_WAIT_MS;
    const deadline = session.root.clock.now() + waitMs;
    const paths: string[] = [];
    if (args.file_path !== undefined) {
      const place = await session.root.confinement.resolve(args.file_path);
      if (place.status === 'refused') return refusedResult(change, place);
      if (!(await session.root.store.stat(place.path))) {
        return refusedResult(change, refuse('not_found', `${place.shown} does not exist.`));
      }
      paths.push(place.path);
    } else {
      paths.push(...session.root.diagnostics.changedFiles(args.since === 'all' ? undefined : session.id));
    }
    if (paths.length === 0) return answer('No file was changed in this session. Name a file_path.', true);
    await session.root.diagnostics.settle(session.id, waitMs);
    const states: FileState[] = [];
    for (const path of paths.slice(0, MAX_FILES)) states.push(...(await inspect(path, call, deadline)));
    const left = paths.length - MAX_FILES;
    const lines = states.flatMap((state) => linesOf(state));
    return answer([...lines, ...(left > 0 ? [`(${left} more files changed; name one)`] : [])].join('\n'), left <= 0);

    function answer(text: string, complete: boolean) {
      const ms = Math.round(session.root.clock.now() - change.startedMs);
      const receipt = { id: change.receipt, tool: 'Diagnostics', ok: true, ms, files: [], complete };
      return { ok: true, text, receipt };
    }
  },
});

async function inspect(path: string, call: ToolCall, deadline: number): Promise<readonly FileState[]> {
  const { root } = call.session;
  const opened = await root.documents.open(path, call.signal);
  if (opened.status !== 'open') return [];
  const budget = Math.max(0, deadline - root.clock.now());
  return [await root.diagnostics.inspect(opened.document.snapshot, budget, call.signal)];
}

function linesOf(state: FileState): readonly string[] {
  const reasons = state.servers.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  const why = reasons.length > 0 ? ` (${[...new Set(reasons)].join('; ')})` : '';
  switch (state.state) {
    case 'none':
      return [`${state.path}: no language server for it here`];
    case 'pending':
      return [`${state.path}: pending${why}`];
    case 'unavailable':
      return [`${state.path}: unavailable${why}`];
    case 'fresh': {
      const count = state.diagnostics.length;
      if (count === 0) return [`${state.path}: clean`];
      return [`${state.path}: ${count} found`, ...listed(' ', state.diagnostics)];
    }
  }
}
