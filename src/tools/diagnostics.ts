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
/** So many findings are listed in one answer, over all its files. */
const MAX_LISTED = 100;
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
    const lines: string[] = [];
    if (args.file_path === undefined) {
      paths = diagnostics.changedFiles(
        since === 'all' ? undefined : call.session.id,
        since?.startsWith('e') ? since : undefined,
      );
    } else {
      const place = await findNamedPath(call, args.file_path);
      if (place.status === 'refused') return answer.refused(place);
      paths = [place.path];
      if (place.note !== undefined) lines.push(place.note);
    }
    if (paths.length === 0)
      return answer.ok(`No file was changed ${inWhich(since)}. Name a file_path.`, { complete: true });
    await diagnostics.settle(call.session.id, deadline - clock.now());
    const report = { least: args.severity ?? 'error', isOnly: args.file_path !== undefined };
    let room = MAX_LISTED;
    let isComplete = paths.length <= MAX_FILES;
    for (const path of paths.slice(0, MAX_FILES)) {
      try {
        const told = toldOf(await inspect(path, call, deadline), { ...report, room });
        lines.push(...told.lines);
        room = Math.max(0, room - told.found);
        isComplete &&= told.isWhole;
      } catch (error) {
        // One of several that is gone or can't be read hides nothing of the others.
        if (!(error instanceof StoreError) || args.file_path !== undefined) throw error;
        const shown = shownPath(call.session.root.root, path);
        if (error.code !== 'not_found') isComplete = false;
        lines.push(`${shown}: ${error.code === 'not_found' ? 'gone' : `can't be read (${error.code})`}`);
      }
    }
    const left = paths.length - MAX_FILES;
    if (left > 0) lines.push(`(${left} more changed files; name one)`);
    return answer.ok(lines.join('\n'), { complete: isComplete });
  },
});

function inWhich(since = 'session'): string {
  if (since === 'session') return 'in this session';
  return since === 'all' ? 'in any session' : `in this session since ${since}`;
}

/** A file without a text is none for a language server. */
type Inspected = FileState | { readonly state: 'no_text'; readonly path: string; readonly why: string };

async function inspect(path: string, call: ToolCall, deadline: number): Promise<Inspected> {
  const { root } = call.session;
  const opened = await root.documents.open(path, call.signal);
  if (opened.status !== 'open') {
    const why = opened.status === 'encoding' ? opened.message : 'it has no text';
    return { state: 'no_text', path: shownPath(root.root, path), why };
  }
  const budgetMs = Math.max(0, deadline - root.clock.now());
  return root.diagnostics.inspect(opened.document.snapshot, budgetMs, call.signal);
}

interface ReportWish {
  readonly least: Severity;
  /** The caller named this file, and no others are told of. */
  readonly isOnly: boolean;
  /** So many findings may be listed. */
  readonly room: number;
}

/** What an answer says of one file, how many findings that are asked for it has, and whether that is all there is. */
interface Told {
  readonly lines: readonly string[];
  readonly found: number;
  readonly isWhole: boolean;
}

function toldOf(file: Inspected, { least, isOnly, room }: ReportWish): Told {
  const { path } = file;
  const only = (words: string, isWhole: boolean): Told => ({ lines: [`${path}: ${words}`], found: 0, isWhole });
  switch (file.state) {
    case 'no_text':
      return only(file.why, true);
    case 'none':
      return only('no language server for it here', true);
    case 'pending':
    case 'unavailable':
      return only(`${file.state} (${reasonOf(file.servers)})`, false);
    case 'fresh': {
      const all = file.all ?? file.diagnostics;
      const asked = SEVERITIES.slice(0, SEVERITIES.indexOf(least) + 1);
      const shown = all.filter(({ severity }) => asked.includes(severity));
      if (all.length === 0) return only('clean', true);
      if (shown.length === 0) {
        return only(`no ${namesOf(asked)} (${all.length} below ${least}; severity: hint shows them)`, true);
      }
      const found = shown.length;
      if (room === 0) return { ...only(`${found} found (name the file to list them)`, false), found };
      const ending = isOnly ? ' (they come once these are mended)' : ' (name the file to list them)';
      const listing = listed(' ', shown, { most: room, ending });
      return { lines: [`${path}: ${found} found`, ...listing], found, isWhole: found <= room };
    }
  }
}

/** `errors`, `errors or warnings`, `errors, warnings or information`. */
function namesOf(severities: readonly Severity[]): string {
  const names = severities.map((severity) => (severity === 'information' ? severity : `${severity}s`));
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
}
