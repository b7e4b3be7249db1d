import type { ServerCapabilities } from 'vscode-languageserver-protocol';

/** What can be asked of a symbol or a file without changing anything, as models know the names. */
export const READ_OPERATIONS = [
  'goToDefinition',
  'findReferences',
  'hover',
  'documentSymbol',
  'workspaceSymbol',
  'goToImplementation',
  'typeDefinition',
  'prepareCallHierarchy',
  'incomingCalls',
  'outgoingCalls',
] as const;

/** What changes files. */
export const CHANGE_OPERATIONS = ['rename', 'codeAction', 'organizeImports', 'moveFile'] as const;

/** One that changes nothing. */
export type ReadOperation = (typeof READ_OPERATIONS)[number];
/** Those that are about one symbol. */
export type SymbolOperation = Exclude<ReadOperation, 'documentSymbol' | 'workspaceSymbol'>;
/** One that changes files. */
export type ChangeOperation = (typeof CHANGE_OPERATIONS)[number];
/** All that can be asked for. */
export type Operation = ReadOperation | ChangeOperation;

/** An operation that names a place and gets places. */
interface PlaceOperation {
  readonly method: string;
  readonly needs: keyof ServerCapabilities;
  /** What one place of the answer is called. */
  readonly noun: string;
}

/** How each of them is asked in LSP. */
export const PLACE_OPERATIONS = {
  goToDefinition: { method: 'textDocument/definition', needs: 'definitionProvider', noun: 'definition' },
  findReferences: { method: 'textDocument/references', needs: 'referencesProvider', noun: 'reference' },
  goToImplementation: {
    method: 'textDocument/implementation',
    needs: 'implementationProvider',
    noun: 'implementation',
  },
  typeDefinition: { method: 'textDocument/typeDefinition', needs: 'typeDefinitionProvider', noun: 'type definition' },
} as const satisfies Partial<Record<ReadOperation, PlaceOperation>>;

const OTHER_NAMES: Readonly<Record<string, Operation>> = {
  definition: 'goToDefinition',
  references: 'findReferences',
  usages: 'findReferences',
  implementation: 'goToImplementation',
  implementations: 'goToImplementation',
  gototypedefinition: 'typeDefinition',
  symbols: 'documentSymbol',
  documentsymbols: 'documentSymbol',
  outline: 'documentSymbol',
  workspacesymbols: 'workspaceSymbol',
  callhierarchy: 'prepareCallHierarchy',
  callers: 'incomingCalls',
  callees: 'outgoingCalls',
  renamesymbol: 'rename',
  codeactions: 'codeAction',
  organiseimports: 'organizeImports',
  renamefile: 'moveFile',
};

/** The operation that a caller names, `workspace_symbol` and `references` included. */
export function operationNamed<Known extends Operation>(text: string, among: readonly Known[]): Known | undefined {
  const bare = text.toLowerCase().replace(/^textdocument\/|[\s_/-]/g, '');
  const meant = Object.hasOwn(OTHER_NAMES, bare) ? OTHER_NAMES[bare] : undefined;
  return among.find((operation) => operation.toLowerCase() === bare || operation === meant);
}
