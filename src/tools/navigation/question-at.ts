import { isRecord } from '../../workspace/navigation/read-places.ts';
import type { ToolCall } from '../tool.ts';
import type { askAt, SymbolAt } from './ask-at.ts';
import { knownOutline, outlineOf } from './known-outlines.ts';
import { PLACE_OPERATIONS, type SymbolOperation } from './operations.ts';
import { withMentions } from './with-mentions.ts';

type Question = Parameters<typeof askAt>[2];

/** What a server is asked for one operation on a symbol; `onLeft` is told what the answer leaves out. */
export function questionAt(operation: SymbolOperation, call: ToolCall, onLeft: (words: string) => void): Question {
  switch (operation) {
    case 'hover':
      return {
        needs: 'hoverProvider',
        when: 'early',
        request: ({ file, uri, position }) =>
          file.server.request('textDocument/hover', { textDocument: { uri }, position }),
      };
    case 'prepareCallHierarchy':
      return { needs: 'callHierarchyProvider', request: prepare };
    case 'incomingCalls':
    case 'outgoingCalls':
      return {
        needs: 'callHierarchyProvider',
        request: (at) => withMentions(call, at, () => calls(operation, at), { wanted: 'uses', onLeft }),
      };
    case 'goToDefinition':
    case 'findReferences':
    case 'goToImplementation':
    case 'typeDefinition': {
      const { method, needs } = PLACE_OPERATIONS[operation];
      const wanted = operation === 'findReferences' || operation === 'goToImplementation' ? 'uses' : 'place';
      return {
        needs,
        when: 'early',
        async request(at) {
          const { file, uri, position } = at;
          const params = { textDocument: { uri }, position, context: { includeDeclaration: true } };
          const ask = (): Promise<unknown> => file.server.request(method, params);
          const reply = await withMentions(call, at, ask, { wanted, onLeft });
          // Asked for once for each text, while the server has it: what a place lies in is told by it.
          const { server, path, document } = file;
          if (!knownOutline(server, path, document.getText())) await outlineOf(server, path);
          return reply;
        },
      };
    }
  }
}

function prepare({ file, uri, position }: SymbolAt): Promise<unknown> {
  return file.server.request('textDocument/prepareCallHierarchy', { textDocument: { uri }, position });
}

async function calls(operation: 'incomingCalls' | 'outgoingCalls', at: SymbolAt): Promise<unknown> {
  const prepared = await prepare(at);
  const items = Array.isArray(prepared) ? prepared.filter(isRecord) : [];
  const found: unknown[] = [];
  for (const item of items) {
    const reply = await at.file.server.request(`callHierarchy/${operation}`, { item });
    if (Array.isArray(reply)) found.push(...reply);
  }
  return found;
}
