import type { ClientCapabilities } from 'vscode-languageserver-protocol';

/**
 * What we tell every server that we can do. Without `textDocument.diagnostic` several servers push instead of
 * answering a pull; without `didChangeWatchedFiles` none follows files that it has not open.
 */
export const CLIENT_CAPABILITIES: ClientCapabilities = {
  general: { positionEncodings: ['utf-16', 'utf-8'] },
  textDocument: {
    synchronization: { didSave: true },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
    publishDiagnostics: { versionSupport: true, relatedInformation: true },
    references: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
  },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    diagnostics: { refreshSupport: true },
  },
  window: { workDoneProgress: true },
  experimental: { serverStatusNotification: true },
};
