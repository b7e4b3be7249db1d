import { createHash } from 'node:crypto';
import { createLoopGate, type GatedCall, type GateNote, type LoopGate } from '../broker/loop-gate.ts';
import { refusalText } from '../broker/refusal.ts';
import type { Session } from '../broker/session.ts';
import { pageOfText } from '../workspace/text-page.ts';
import type { LookedAt, Tool, ToolCall, ToolResult } from './tool.ts';

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

/** Runs a call unless it has failed in the same way before and nothing has changed; then it says what would help. */
export async function runGuarded(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  call: ToolCall,
  run: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const kind = KINDS[tool.name];
  if (kind === undefined || args.job !== undefined || args.stop !== undefined) return run();
  const gate = gateOf(call.session);
  const paths = pathsOf(args);
  const plain = { kind, tool: tool.name, args, path: paths[0] };
  const gated = async (): Promise<GatedCall> => ({ ...plain, state: await stateOf(paths, call) });

  if (gate.remembers(plain)) {
    const verdict = gate.before(await gated());
    if (verdict.kind === 'block')
      return { ...(await blocked(plain, verdict, call)), looked: await lookedAt(paths, call) };
  }
  const result = await run();
  const isFailure = !result.ok || isVain(kind, result);
  const { files, changed } = result.receipt;
  const hasChanged = files.length > 0 || (changed !== undefined && changed.length > 0);
  const mayHaveChanged = kind === 'command' && changed === undefined;
  const judged = isFailure ? await gated() : { ...plain, state: undefined };
  const note = gate.after(judged, { isFailure, hasChanged, mayHaveChanged, text: result.text });
  return withNote(result, note, plain, call);
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

function pathsOf(args: Readonly<Record<string, unknown>>): readonly string[] {
  const { file_path: path, edits, input } = args;
  const own = typeof path === 'string' ? [path] : [];
  const inEdits = Array.isArray(edits) ? edits.flatMap((edit: { file_path?: unknown }) => edit?.file_path ?? []) : [];
  const inPatch =
    typeof input === 'string'
      ? [...input.matchAll(/^\*\*\* (?:Update|Delete|Add) File: (.+)$/gm)].map(([, name]) => name)
      : [];
  return [...new Set([...own, ...inEdits, ...inPatch].filter((name) => typeof name === 'string'))];
}

/** A hash of what the files hold; of files that are not there or can't be read, that. */
async function stateOf(paths: readonly string[], call: ToolCall): Promise<string> {
  const { confinement, store } = call.session.root;
  const hash = createHash('sha256');
  for (const path of paths) {
    try {
      const place = await confinement.resolve(path);
      if (place.status === 'refused') hash.update(place.code);
      else {
        const content = await store.read(place.path);
        hash.update(content.kind === 'file' ? content.bytes : content.text);
      }
    } catch (error) {
      hash.update(error instanceof Error && 'code' in error ? String(error.code) : 'unreadable');
    }
  }
  return hash.digest('base64');
}

/** What a call that is held back is about. The journal has the contents from when it failed. */
async function lookedAt(paths: readonly string[], call: ToolCall): Promise<readonly LookedAt[]> {
  const { confinement, store } = call.session.root;
  const looked: LookedAt[] = [];
  for (const path of paths) {
    try {
      const place = await confinement.resolve(path);
      if (place.status === 'refused') continue;
      if (!place.stat) looked.push({ path: place.shown, sha256: null });
      else {
        const content = await store.read(place.path);
        const hash = createHash('sha256').update(content.kind === 'file' ? content.bytes : content.text);
        looked.push({ path: place.shown, sha256: hash.digest('hex') });
      }
    } catch {
      // It can't be read, as when it failed: the journal has nothing of it then either.
    }
  }
  return looked;
}

async function blocked(
  call: Pick<GatedCall, 'tool' | 'path'>,
  { times, text }: { readonly times: number; readonly text: string },
  toolCall: ToolCall,
): Promise<ToolResult> {
  const what = call.tool === 'Read' ? 'this Read' : call.tool === 'Bash' ? 'this command' : 'this edit';
  const often = times === 2 ? 'twice' : `${times} times`;
  const about = call.path === undefined ? 'no file has' : `${call.path} has not`;
  const lines =
    call.tool === 'Read' || call.path === undefined ? undefined : await presentLines(call.path, text, toolCall);
  const why = text.split('\n')[0]?.replace(/^Error /, '') ?? '';
  const told = call.tool === 'Bash' ? 'It ended with' : 'It was refused';
  const message = `${what} failed ${often} and ${about} changed since. ${lines ?? `${told}: ${why}`}`;
  const receipt = {
    id: await toolCall.session.root.nextReceiptId(),
    tool: call.tool,
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

async function withNote(
  result: ToolResult,
  note: GateNote,
  { tool, kind, path }: Pick<GatedCall, 'tool' | 'kind' | 'path'>,
  call: ToolCall,
): Promise<ToolResult> {
  switch (note.kind) {
    case 'none':
      return result;
    case 'repeated': {
      const what = kind === 'search' ? 'search gave the same answer' : 'command ended in the same way';
      return {
        ...result,
        text: `${result.text}\nnote: this ${what} ${note.times} times; nothing that it told has changed`,
      };
    }
    case 'near': {
      const lines = path === undefined ? undefined : await presentLines(path, result.text, call);
      if (lines === undefined) return result;
      const often = `${note.times} ${tool === 'Read' ? 'Reads' : 'edits'} like this one failed and ${path} has not changed.`;
      return { ...result, text: `${result.text}\nnote: ${often} ${lines}` };
    }
  }
}
