import type { Diagnostic } from 'vscode-languageserver-protocol';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { toUtf16Range } from '../workspace/language-server/position-encoding.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import type { ServerSession } from '../workspace/language-server/server-session.ts';
import { type Asked, type RawDiagnostic, severityOf } from './raw-diagnostic.ts';

const METHOD = 'textDocument/diagnostic';
/** How long a server that has started may take to register that it answers the request. */
const REGISTER_MS = 20_000;
/** LSP: the content was modified; the server cancelled. Both ask the client to ask again. */
const ASK_AGAIN: readonly number[] = [-32801, -32802];
const PAUSES_MS = [50, 100, 200, 400];

/** `textDocument/diagnostic`, without a previous result id: every reply is the full report. */
export async function askByPull(server: LanguageServer, document: TextDocument): Promise<Asked> {
  const session = await server.ready();
  if (!(await answersPulls(session))) {
    return { status: 'unavailable', reason: 'it does not answer requests for diagnostics' };
  }
  const provider = session.capabilities.diagnosticProvider;
  const identifier = provider?.identifier;
  const params = { textDocument: { uri: document.uri }, ...(identifier === undefined ? {} : { identifier }) };
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    try {
      return read(await server.request(METHOD, params), { document, session });
    } catch (error) {
      if (!(error instanceof ServerFailure) || error.code !== 'refused') throw error;
      if (!ASK_AGAIN.includes(error.rpcCode ?? 0) || pauseMs === undefined) {
        return { status: 'unavailable', reason: `it answered: ${error.message}` };
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  throw new RangeError('the last try returns or throws');
}

function read(
  reply: unknown,
  { document, session }: { readonly document: TextDocument; readonly session: ServerSession },
): Asked {
  const report = reply as { readonly kind?: unknown; readonly items?: unknown } | null;
  if (report?.kind !== 'full' || !Array.isArray(report.items)) {
    return { status: 'unavailable', reason: `its report is not a full one: ${JSON.stringify(reply)?.slice(0, 100)}` };
  }
  return { status: 'answered', diagnostics: readDiagnostics(report.items, { document, session }) };
}

/** LSP diagnostics with their ranges in UTF-16. */
export function readDiagnostics(
  items: readonly unknown[],
  { document, session }: { readonly document: TextDocument; readonly session: ServerSession },
): readonly RawDiagnostic[] {
  return (items as readonly Diagnostic[]).map((item) => ({
    range: toUtf16Range(document, item.range, session.positionEncoding),
    severity: severityOf(item.severity),
    code: item.code === undefined ? undefined : String(item.code),
    message: typeof item.message === 'string' ? item.message : item.message.value,
    source: item.source,
  }));
}

async function answersPulls(session: ServerSession): Promise<boolean> {
  const isKnown = (): boolean =>
    session.capabilities.diagnosticProvider !== undefined || session.registrations.has(METHOD);
  if (isKnown()) return true;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => resolve(false)), REGISTER_MS);
    const forget = session.registrations.onRegister(() => {
      if (isKnown()) settle(() => resolve(true));
    });
    const settle = (how: () => void): void => {
      clearTimeout(timer);
      forget();
      how();
    };
    void session.ended.then((reason) => settle(() => reject(new ServerFailure('ended', reason))));
  });
}
