import type { CodeAction, Diagnostic, Range } from 'vscode-languageserver-protocol';
import { type Refusal, refuse } from '../../../broker/refusal.ts';
import type { FileDiagnostic } from '../../../diagnostics/report.ts';
import { positionAt } from '../../../workspace/language-server/position-encoding.ts';
import { collectEdits } from '../../../workspace/language-server/requested-edits.ts';
import { ServerFailure } from '../../../workspace/language-server/server-failure.ts';
import { isRecord } from '../../../workspace/navigation/read-places.ts';
import type { ToolCall } from '../../tool.ts';
import type { OpenFile } from '../ask-at.ts';
import { openNamed, type ServerTexts, textsOf } from './server-texts.ts';

/** Severities in LSP's order. */
const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;

/** So often a list, and what a server would change, is asked for; each time it may name further files. */
const MAX_TRIES = 3;

/** LSP's kind of it. */
export const ORGANIZE_IMPORTS = 'source.organizeImports';

/** What a code action is asked for. */
export interface ActionRange {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  readonly diagnostics: readonly FileDiagnostic[];
  /** Only actions of this kind, as {@link ORGANIZE_IMPORTS}. */
  readonly only?: string;
}

/**
 * The actions that can be applied, in the server's order. One that has not come to an edit yet itself leaves the fixes of
 * what it is told to be wrong out, for half a second: where there is none it is asked again. @throws ServerFailure
 */
async function listActions(file: OpenFile, range: ActionRange): Promise<readonly CodeAction[]> {
  for (let tries = 1; ; tries++) {
    const actions = await askActions(file, range);
    const hasFix = actions.some(({ kind }) => kind?.startsWith('quickfix'));
    if (hasFix || range.diagnostics.length === 0 || tries === MAX_TRIES) return actions;
  }
}

async function askActions(file: OpenFile, range: ActionRange): Promise<readonly CodeAction[]> {
  const { server, document, encoding } = file;
  const at = (offset: number) => positionAt(document, offset, encoding);
  const params = {
    textDocument: { uri: document.uri },
    range: { start: at(range.start), end: at(range.end) },
    context: {
      diagnostics: range.diagnostics.map((one) => toServer(file, one)),
      triggerKind: 1,
      ...(range.only !== undefined && { only: [range.only] }),
    },
  };
  const reply = await server.request('textDocument/codeAction', params);
  const actions = (Array.isArray(reply) ? reply : []).flatMap((item: unknown) => {
    const action = readAction(item);
    if (!action || action.disabled || writesItself(action)) return [];
    return range.only === undefined || (action.kind ?? '').startsWith(range.only) ? [action] : [];
  });
  const { organizeImports: command } = server.resolved.definition;
  if (range.only !== ORGANIZE_IMPORTS || actions.length > 0 || command === undefined) return actions;
  return [{ title: 'Organize imports', kind: range.only, command: { title: '', command, arguments: [document.uri] } }];
}

/** The actions that a server has, and what one of them would change. */
export interface PickedAction {
  readonly actions: readonly CodeAction[];
  /** Of the one that was picked, if one was. */
  readonly edits: readonly unknown[] | Refusal | undefined;
  /** What the server had open then. */
  readonly texts: ServerTexts;
}

/**
 * Lists the actions and asks for the edits of one. Where these are of files that the server has not open it is asked
 * again with them open, so that it is known of which texts it speaks. @throws ServerFailure
 */
export async function pickAction(
  call: ToolCall,
  { file, range }: { readonly file: OpenFile; readonly range: ActionRange },
  pick: (actions: readonly CodeAction[]) => CodeAction | undefined,
): Promise<PickedAction> {
  for (let tries = 1; ; tries++) {
    const actions = await listActions(file, range);
    const wanted = pick(actions);
    const edits = wanted && (await editsOfAction(file, wanted));
    const picked = { actions, edits, texts: textsOf(file.server) };
    if (!edits || 'status' in edits || tries === MAX_TRIES) return picked;
    if (!(await openNamed(call, file.server, edits))) return picked;
  }
}

/** The workspace edits of an action: its own, what it resolves to, or what its command asks for. @throws ServerFailure */
async function editsOfAction({ server }: OpenFile, action: CodeAction): Promise<readonly unknown[] | Refusal> {
  const provider = server.session?.capabilities.codeActionProvider;
  const canResolve = typeof provider === 'object' && provider.resolveProvider === true;
  const whole =
    action.edit || !canResolve ? action : (readAction(await server.request('codeAction/resolve', action)) ?? action);
  if (whole.edit) return [whole.edit];
  const { command } = whole;
  const { organizeImports } = server.resolved.definition;
  const known = [organizeImports, ...(server.session?.capabilities.executeCommandProvider?.commands ?? [])];
  if (!command || !known.includes(command.command))
    return refuse('unavailable', `the action ${JSON.stringify(action.title)} changes nothing that emend could make.`);
  const { edits } = await collectEdits(server.resolved, () =>
    server.request('workspace/executeCommand', { command: command.command, arguments: command.arguments ?? [] }),
  );
  // Imports that are in order are no failure.
  if (edits.length > 0 || action.kind?.startsWith(ORGANIZE_IMPORTS)) return edits;
  throw new ServerFailure('refused', `the action ${JSON.stringify(action.title)} came to no edit`);
}

/** Before it moves code to a new file, typescript-language-server makes that file on the disk, past the broker. */
function writesItself({ kind, edit }: CodeAction): boolean {
  return !edit && (kind ?? '').startsWith('refactor.move');
}

/** A bare command is an action that has nothing else. */
function readAction(item: unknown): CodeAction | undefined {
  if (!isRecord(item) || typeof item.title !== 'string') return undefined;
  if (typeof item.command !== 'string') return item as unknown as CodeAction;
  return { title: item.title, command: item as unknown as NonNullable<CodeAction['command']> };
}

function toServer({ document, encoding, server }: OpenFile, diagnostic: FileDiagnostic): Diagnostic {
  const { codePrefix } = server.resolved.definition;
  const { code, source } = diagnostic;
  const bare = code?.startsWith(codePrefix) ? code.slice(codePrefix.length) : code;
  const range = (one: Range): Range => ({
    start: positionAt(document, document.offsetAt(one.start), encoding),
    end: positionAt(document, document.offsetAt(one.end), encoding),
  });
  return {
    range: range(diagnostic.range),
    message: diagnostic.message,
    severity: (SEVERITIES.indexOf(diagnostic.severity) + 1) as NonNullable<Diagnostic['severity']>,
    ...(bare !== undefined && { code: /^\d+$/.test(bare) ? Number(bare) : bare }),
    ...(source !== undefined && { source }),
  };
}
