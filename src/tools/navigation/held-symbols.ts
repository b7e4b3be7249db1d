import type { LanguageServer } from '../../workspace/language-server/language-server.ts';
import type { ToolCall } from '../tool.ts';
import { lineText } from './find-spots.ts';
import { enclosingIn, knownOutline } from './known-outlines.ts';
import { holderAt } from './seen-texts.ts';

/** What a line of a file lies in: `line` is 0-based, `text` what stands there, which must be what is known of it. */
export type HeldSymbols = (path: string, line: number, text: string) => string | undefined;

/** What is known without asking anyone: of the files that running servers have open, by their outlines or indentation. */
export async function heldSymbols(call: ToolCall): Promise<HeldSymbols> {
  const servers = await call.session.root.diagnostics.runningServers();
  return (path, line, text) => {
    for (const server of servers) {
      const holder = heldIn(server, path, { line, text });
      if (holder !== undefined) return holder;
    }
    return undefined;
  };
}

function heldIn(
  server: LanguageServer,
  path: string,
  { line, text }: { readonly line: number; readonly text: string },
): string | undefined {
  const document = server.documents.get(path);
  // Another text by now: its outline says nothing about this line.
  if (!document || line >= document.lineCount || lineText(document, line) !== text) return undefined;
  const outline = knownOutline(server, path, document.getText());
  return outline ? enclosingIn(outline, line) : holderAt(document, line);
}
