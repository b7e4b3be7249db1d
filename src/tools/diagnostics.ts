import * as z from 'zod';
import { listed, reasonOf } from '../broker/outcome-words.ts';
import type { FileState } from '../diagnostics/diagnostics-board.ts';
import type { Severity } from '../diagnostics/report.ts';
import { StoreError } from '../workspace/document-store.ts';
import { beginAnswer } from './answer.ts';
import { findNamedPath, shownPath } from './named-path.ts';
import { defineTool, type ToolCall } from './tool.ts';

const MAX_FILES = 50;
const DEFAULT_WAIT_MS = 10_000;
const MAX_SHOWN = 100;
const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const satisfies readonly Severity[];

/** What language servers say now of one file, or of those that were changed. */
export const diagnosticsTool = defineTool({
  name: 'Diagnostics',
  description:
    'What language servers say now: of file_path, else of the files changed in this session (since: all, or a receipt id).',
  args: z.strictObject({
    file_path: z.string().optional(),
    since: z.string().optional(),
    severity: z.enum(SEVERITIES).optional(),
    wait_ms: z.int().min(0).max(600_000).optional(),
  }),
  hints: { readOnlyHint: true },
  async run(args, call) {
    const answer = beginAnswer(call, 'Diagnostics');
    const { clock, diagnostics } = call.session.root;
    const deadline = clock.now() + (args.wait_ms ?? DEFAULT_WAIT_MS);
    const { since } = args;
    if (since !== undefined && !/^(?:session|all|e\d+)$/.test(since)) {
      const message = `since ${JSON.stringify(since.slice(0, MAX_SHOWN))}. Give session, all, or the id of a receipt, such as e12.`;
      return answer.refused({ code: 'invalid_arguments', message });
    }
    let paths: readonly string[];
    if (args.file_path === undefined) {
      paths = diagnostics.changedFiles(
        since === 'all' ? undefined : call.session.id,
        since?.startsWith('e') ? since : undefined,
      );
    } else {
      const place = await findNamedPath(call, args.file_path);
      if (place.status === 'refused') return answer.refused(place);
      paths = [place.path];
    }
    if (paths.length === 0)
      return answer.ok(`No file was changed ${inWhich(since)}. Name a file_path.`, { complete: true });
    await diagnostics.settle(call.session.id, deadline - clock.now());
    const lines: string[] = [];
    for (const path of paths.slice(0, MAX_FILES)) {
      try {
        lines.push(...linesOf(await inspect(path, call, deadline), args.severity ?? 'error'));
      } catch (error) {
        // One of several that is gone or can't be read hides nothing of the others.
        if (!(error instanceof StoreError) || args.file_path !== undefined) throw error;
        const shown = shownPath(call.session.root.root, path);
        lines.push(`${shown}: ${error.code === 'not_found' ? 'gone' : `can't be read (${error.code})`}`);
      }
    }
    const left = paths.length - MAX_FILES;
    if (left > 0) lines.push(`(${left} more changed files; name one)`);
    return answer.ok(lines.join('\n'), { complete: left <= 0 });
  },
});

function inWhich(since = 'session'): string {
  if (since === 'session') return 'in this session';
  return since === 'all' ? 'in any session' : `in this session since ${since}`;
}

async function inspect(path: string, call: ToolCall, deadline: number): Promise<FileState> {
  const { root } = call.session;
  const opened = await root.documents.open(path, call.signal);
  if (opened.status !== 'open') return { path, state: 'none', diagnostics: [], servers: [] };
  const budgetMs = Math.max(0, deadline - root.clock.now());
  return root.diagnostics.inspect(opened.document.snapshot, budgetMs, call.signal);
}

function linesOf(state: FileState, least: Severity): readonly string[] {
  const why = ` (${reasonOf(state.servers)})`;
  switch (state.state) {
    case 'none':
      return [`${state.path}: no language server for it here`];
    case 'pending':
      return [`${state.path}: pending${why}`];
    case 'unavailable':
      return [`${state.path}: unavailable${why}`];
    case 'fresh': {
      const shown = (state.all ?? state.diagnostics).filter(
        ({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least),
      );
      if (shown.length === 0) return [`${state.path}: clean`];
      return [`${state.path}: ${shown.length} found`, ...listed(' ', shown)];
    }
  }
}
