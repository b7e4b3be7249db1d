import type { CodeAction, Diagnostic, Range } from 'vscode-languageserver-protocol';
import { type Refusal, refuse } from '../../../broker/refusal.ts';
import type { FileDiagnostic } from '../../../diagnostics/report.ts';
import { positionAt } from '../../../workspace/language-server/position-encoding.ts';
import { collectEdits } from '../../../workspace/language-server/requested-edits.ts';
import { ServerFailure } from '../../../workspace/language-server/server-failure.ts';
import { isRecord } from '../../../workspace/navigation/read-places.ts';
import type { OpenFile } from '../ask-at.ts';

/** Severities in LSP's order. */
const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;

/** What a code action is asked for. */
export interface ActionRange {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  readonly diagnostics: readonly FileDiagnostic[];
  /** Only actions of this kind, as `source.organizeImports`. */
  readonly only?: string;
}

/** The actions that can be applied, in the server's order. @throws ServerFailure */
export async function listActions(file: OpenFile, range: ActionRange): Promise<readonly CodeAction[]> {
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
  return (Array.isArray(reply) ? reply : []).flatMap((item: unknown) => {
    const action = readAction(item);
    if (!action || action.disabled || writesItself(action)) return [];
    return range.only === undefined || (action.kind ?? '').startsWith(range.only) ? [action] : [];
  });
}

/** The workspace edits of an action: its own, what it resolves to, or what its command asks for. @throws ServerFailure */
export async function editsOfAction({ server }: OpenFile, action: CodeAction): Promise<readonly unknown[] | Refusal> {
  const provider = server.session?.capabilities.codeActionProvider;
  const canResolve = typeof provider === 'object' && provider.resolveProvider === true;
  const whole =
    action.edit || !canResolve ? action : (readAction(await server.request('codeAction/resolve', action)) ?? action);
  if (whole.edit) return [whole.edit];
  const { command } = whole;
  const known = server.session?.capabilities.executeCommandProvider?.commands ?? [];
  if (!command || !known.includes(command.command))
    return refuse('unavailable', `the action ${JSON.stringify(action.title)} changes nothing that emend could make.`);
  const { edits } = await collectEdits(server.resolved, () =>
    server.request('workspace/executeCommand', { command: command.command, arguments: command.arguments ?? [] }),
  );
  if (edits.length > 0) return edits;
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
