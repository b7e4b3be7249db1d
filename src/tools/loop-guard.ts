import { createHash } from 'node:crypto';
import { createLoopGate, type GatedCall, type GateNote, type LoopGate } from '../broker/loop-gate.ts';
import { parsePatchText } from '../broker/patch/parse-patch.ts';
import { pathsOf as patchPaths } from '../broker/patch/patch.ts';
import { refusalText } from '../broker/refusal.ts';
import type { Session } from '../broker/session.ts';
import { pageOfText } from '../workspace/text-page.ts';
import type { LookedAt, ToolCall, ToolResult } from './tool.ts';

const KINDS: Readonly<Record<string, GatedCall['kind']>> = {
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  apply_patch: 'edit',
  Read: 'edit',
  Bash: 'command',
  Grep: 'search',
  Glob: 'search',
};
/** Lines that are shown around the place that a failing edit came nearest to, and of a file where no place is known. */
const LINES_BEFORE = 4;
const LINES_AFTER = 5;
const MAX_LINES = 60;
const PAGE = { maxBytes: 8 * 1024, maxLineLength: 400 };

/** By what a session remembers. Other options begin anew. */
const gates = new WeakMap<Session['memory'], { readonly gate: LoopGate; readonly options: string }>();

/** What is called, by our own names whatever the dialect. */
interface AskedTool {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Asked extends AskedTool {
  readonly kind: GatedCall['kind'];
  /** Of all its files. */
  readonly paths: readonly string[];
}

/** Runs a call unless it has failed in the same way before and nothing has changed; then it says what would help. */
export async function runGuarded(
  { tool, args }: AskedTool,
  call: ToolCall,
  run: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const kind = Object.hasOwn(KINDS, tool) ? KINDS[tool] : undefined;
  if (kind === undefined || args.job !== undefined || args.stop !== undefined) return run();
  const gate = gateOf(call.session);
  const paths = pathsOf(args);
  const asked = { kind, tool, args, paths };
  const plain = { kind, tool, args, path: paths[0] };

  if (gate.remembers(plain)) {
    const { state, looked } = await lookAt(paths, call);
    const verdict = gate.before({ ...plain, state });
    if (verdict.kind === 'block') return { ...(await blocked(asked, verdict, call)), looked };
  }
  const result = await run();
  const isFailure = !result.ok || isVain(kind, result);
  const { files, changed, dry_run: isTried } = result.receipt;
  const hasChanged = (files.length > 0 && !isTried) || (changed !== undefined && changed.length > 0);
  const mayHaveChanged = kind === 'command' && changed === undefined;
  const judged: GatedCall = { ...plain, state: isFailure ? (await lookAt(paths, call)).state : undefined };
  const note = gate.after(judged, { isFailure, hasChanged, mayHaveChanged, text: result.text });
  return withNote(result, note, asked, call);
}

function gateOf({ memory, options: { loopGate } }: Session): LoopGate {
  const options = JSON.stringify(loopGate);
  const known = gates.get(memory);
  if (known?.options === options) return known.gate;
  const gate = createLoopGate(loopGate);
  gates.set(memory, { gate, options });
  return gate;
}

/** It worked and came to nothing: another status than 0, nothing found. */
function isVain(kind: GatedCall['kind'], { receipt }: ToolResult): boolean {
  if (kind === 'search') return receipt.total === 0;
  if (kind !== 'command' || !receipt.exit) return false;
  return 'signal' in receipt.exit || receipt.exit.code !== 0;
}

/** The files that a call names, as it names them. */
function pathsOf(args: Readonly<Record<string, unknown>>): readonly string[] {
  const { file_path: path, input } = args;
  const patch = typeof input === 'string' ? parsePatchText(input) : undefined;
  const inPatch = patch === undefined || patch.status === 'wrong' ? [] : patchPaths(patch.files);
  const named = [path, ...editsOf(args).map((edit) => edit?.file_path), ...inPatch];
  return [...new Set(named.filter((name) => typeof name === 'string'))];
}

function editsOf({ edits }: Readonly<Record<string, unknown>>): readonly ({ readonly file_path?: unknown } | null)[] {
  return Array.isArray(edits) ? edits : [];
}

/** The one file that a failure is about; `undefined` where it may be any of several. */
function failedPath({ args, paths }: Pick<Asked, 'args' | 'paths'>, failure: string): string | undefined {
  if (paths.length <= 1) return paths[0];
  const number = /^Error \w+: edit (\d+) of \d+ /.exec(failure)?.[1];
  const path = number === undefined ? undefined : (editsOf(args)[Number(number) - 1]?.file_path ?? args.file_path);
  return typeof path === 'string' ? path : undefined;
}

/**
 * What the files of a call hold: a hash over all of them, in which files that are not there or can't be read count as
 * that, and for the journal one of each file that is there or could be. It has the contents from when the call failed.
 */
async function lookAt(
  paths: readonly string[],
  call: ToolCall,
): Promise<{ readonly state: string; readonly looked: readonly LookedAt[] }> {
  const { confinement, store } = call.session.root;
  const state = createHash('sha256');
  const looked: LookedAt[] = [];
  for (const path of paths) {
    try {
      const place = await confinement.resolve(path);
      if (place.status === 'refused') state.update(`${place.code}\n`);
      else if (!place.stat) {
        looked.push({ path: place.shown, sha256: null });
        state.update('not_found\n');
      } else {
        const content = await store.read(place.path);
        const hash = createHash('sha256').update(content.kind === 'file' ? content.bytes : content.text);
        const sha256 = hash.digest('hex');
        looked.push({ path: place.shown, sha256 });
        state.update(`${sha256}\n`);
      }
    } catch (error) {
      // The journal has nothing either of what could not be read when the call failed.
      state.update(`${error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'}\n`);
    }
  }
  return { state: state.digest('base64'), looked };
}

async function blocked(
  asked: Asked,
  { times, text }: { readonly times: number; readonly text: string },
  call: ToolCall,
): Promise<ToolResult> {
  const { tool } = asked;
  const what = tool === 'Read' ? 'this Read' : tool === 'Bash' ? 'this command' : 'this edit';
  const often = times === 2 ? 'twice' : `${times} times`;
  const path = failedPath(asked, text);
  const about =
    path !== undefined ? `${path} has not` : asked.paths.length > 1 ? 'none of its files has' : 'no file has';
  const lines = tool === 'Read' || path === undefined ? undefined : await presentLines(path, text, call);
  const why = text.split('\n')[0]?.replace(/^Error /, '') ?? '';
  const told = tool === 'Bash' ? 'It ended with' : 'It was refused';
  const message = `${what} failed ${often} and ${about} changed since. ${lines ?? `${told}: ${why}`}`;
  const receipt = {
    id: await call.session.root.nextReceiptId(),
    tool,
    ok: false,
    code: 'loop_blocked',
    ms: 0,
    files: [],
  } as const;
  return { ok: false, text: refusalText({ code: 'loop_blocked', message }), receipt };
}

/** `Its lines 36-48 now:` and they; `undefined` where the file can't be shown. */
async function presentLines(path: string, failure: string, call: ToolCall): Promise<string | undefined> {
  const { confinement, documents } = call.session.root;
  try {
    const place = await confinement.resolve(path);
    const opened = place.status === 'refused' ? undefined : await documents.open(place.path);
    if (opened?.status !== 'open') return undefined;
    const [, from, to] = /\bL(\d+)(?:-(\d+))?/.exec(failure) ?? [];
    const first = Math.max(1, Number(from ?? 1) - LINES_BEFORE);
    const last = from === undefined ? MAX_LINES : Number(to ?? from) + LINES_AFTER;
    const limit = Math.min(MAX_LINES, last - first + 1);
    const page = pageOfText(opened.document.snapshot.text, { ...PAGE, first, limit });
    if (page.lines.length === 0) return undefined;
    const shown = page.lines.map((line, index) => `${first + index}→${line}`);
    return [`Its lines ${first}-${first + shown.length - 1} now:`, ...shown].join('\n');
  } catch {
    // It can't be read: the failure itself has said why.
    return undefined;
  }
}

async function withNote(result: ToolResult, note: GateNote, asked: Asked, call: ToolCall): Promise<ToolResult> {
  switch (note.kind) {
    case 'none':
      return result;
    case 'repeated': {
      const what = asked.kind === 'search' ? 'search gave the same answer' : 'command ended in the same way';
      return {
        ...result,
        text: `${result.text}\nnote: this ${what} ${note.times} times; nothing that it told has changed`,
      };
    }
    case 'near': {
      const path = failedPath(asked, result.text);
      const lines = path === undefined ? undefined : await presentLines(path, result.text, call);
      if (lines === undefined) return result;
      const often = `${note.times} ${asked.tool === 'Read' ? 'Reads' : 'edits'} like this one failed and ${path} has not changed.`;
      return { ...result, text: `${result.text}\nnote: ${often} ${lines}` };
    }
  }
}
