import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { DiagnosticsKind } from '../workspace/language-server/server-definition.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import { pathOfUri } from '../workspace/uri.ts';
import type { Asked, RawDiagnostic } from './raw-diagnostic.ts';
import type { Severity } from './report.ts';

/** Positions are 1-based, `offset` in UTF-16. */
interface TsserverPosition {
  readonly line: number;
  readonly offset: number;
}

interface TsserverDiagnostic {
  readonly startLocation: TsserverPosition;
  readonly endLocation: TsserverPosition;
  readonly message: string;
  readonly category: string;
  readonly code: number;
  readonly source?: string;
}

/**
 * tsserver's own synchronous requests, through a server that passes them on: that server's push has no version and is
 * silent when nothing changed, so it can't be told from one that is late.
 */
export async function askByCommand(
  server: LanguageServer,
  document: TextDocument,
  kind: Extract<DiagnosticsKind, { readonly kind: 'sync-command' }>,
): Promise<Asked> {
  const file = pathOfUri(document.uri);
  const session = await server.ready();
  const replies = await Promise.all(
    kind.requests.map((request) =>
      server
        .request('workspace/executeCommand', {
          command: kind.command,
          arguments: [request, { file, includeLinePosition: true }],
        })
        .catch(refusal),
    ),
  );
  if (replies.some(hasLostItsChild)) {
    // It would say so of every file for as long as it lives, which is not always short.
    session.kill();
    throw new ServerFailure('ended', await session.ended);
  }
  const diagnostics: RawDiagnostic[] = [];
  for (const reply of replies) {
    const { body, success, message } = (reply ?? {}) as { body?: unknown; success?: unknown; message?: unknown };
    if (success !== true || !Array.isArray(body)) {
      return {
        status: 'unavailable',
        reason: `it answered: ${String(message ?? JSON.stringify(reply)).slice(0, 200)}`,
      };
    }
    diagnostics.push(...(body as readonly TsserverDiagnostic[]).map(readDiagnostic));
  }
  return { status: 'answered', diagnostics };
}

/** How typescript-language-server answers when its tsserver is gone. */
function hasLostItsChild(reply: unknown): boolean {
  return typeof reply === 'object' && reply !== null && 'type' in reply && reply.type === 'noServer';
}

function refusal(error: unknown): { readonly success: false; readonly message: string } {
  if (error instanceof ServerFailure && error.code === 'refused') return { success: false, message: error.message };
  throw error;
}

const SEVERITY_BY_CATEGORY: Readonly<Record<string, Severity>> = {
  error: 'error',
  warning: 'warning',
  message: 'information',
  suggestion: 'hint',
};

function readDiagnostic(item: TsserverDiagnostic): RawDiagnostic {
  return {
    range: { start: positionOf(item.startLocation), end: positionOf(item.endLocation) },
    severity: SEVERITY_BY_CATEGORY[item.category] ?? 'error',
    code: String(item.code),
    message: item.message,
    source: item.source ?? 'typescript',
  };
}

function positionOf({ line, offset }: TsserverPosition): { readonly line: number; readonly character: number } {
  return { line: line - 1, character: offset - 1 };
}
