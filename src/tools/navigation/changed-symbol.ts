import type { LandedFile } from '../../broker/landed-file.ts';
import type { DiagnosticsReport } from '../../diagnostics/report.ts';
import { positionAt } from '../../workspace/language-server/position-encoding.ts';
import { readPlaces } from '../../workspace/navigation/read-places.ts';
import { namesInServerName } from '../../workspace/navigation/symbol-name.ts';
import { plural } from '../../workspace/truncation.ts';
import type { ToolCall } from '../tool.ts';
import { inUtf16, nameOffset } from './find-spots.ts';
import { outlineOf, symbolAround } from './known-outlines.ts';
import { looseMentions } from './loose-mentions.ts';
import { hasSeveralProjects } from './unloaded-projects.ts';
import { mentionsOf } from './with-mentions.ts';

/** Milliseconds that an edit may take longer for it. */
const BUDGET_MS = 150;

/**
 * `symbol: Token/check, 7 references in 3 files`, of the first place that an edit changed, its declaration not counted;
 * `undefined` where no server is warm, or none says so at once.
 */
export async function changedSymbol(
  call: ToolCall,
  { after, hunks, op }: LandedFile,
  { state }: DiagnosticsReport,
): Promise<string | undefined> {
  const [hunk] = hunks;
  if (state !== 'fresh' || op !== 'edit' || !after || !hunk) return undefined;
  const { path, text, textDocument } = after;
  const line = Math.max(0, hunk.new[0] - 1);
  const reply = await call.session.root.diagnostics.ask(
    {
      file: { path, languageId: textDocument.languageId },
      needs: 'referencesProvider',
      budgetMs: BUDGET_MS,
      isEmpty: () => false,
      async ask(server, { positionEncoding }) {
        const document = server.documents.get(path);
        if (server.resolved.definition.knowsOnlyOpen || document?.getText() !== text) return undefined;
        if (await hasSeveralProjects(call, server)) return undefined;
        const symbol = symbolAround(await outlineOf(server, path), line);
        const name = symbol && namesInServerName(symbol.names.at(-1) ?? '').at(-1);
        if (!symbol || name === undefined) return undefined;
        const loose = await looseMentions(call, { server, word: name }, () => mentionsOf(call, server, name));
        if (loose.some((one) => !server.documents.get(one))) return undefined;
        const offset = nameOffset(document, inUtf16(document, symbol.namePosition, positionEncoding), name);
        if (!text.startsWith(name, offset)) return undefined;
        const position = positionAt(document, offset, positionEncoding);
        const params = {
          textDocument: { uri: document.uri },
          position,
          context: { includeDeclaration: false },
        };
        const places = readPlaces(await server.request('textDocument/references', params));
        const others = places.filter(
          ({ uri, range }) =>
            uri !== document.uri || range?.start.line !== position.line || range.start.character !== position.character,
        );
        return { names: symbol.names, others };
      },
    },
    call.signal,
  );
  if (reply.status !== 'answered' || !reply.answer) return undefined;
  const { names, others } = reply.answer;
  const files = new Set(others.map(({ uri }) => uri)).size;
  const where = others.length === 0 ? '' : ` in ${plural(files, 'file')}`;
  return `symbol: ${names.join('/')}, ${plural(others.length, 'reference')}${where}`;
}
