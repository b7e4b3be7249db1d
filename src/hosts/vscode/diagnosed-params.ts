import type { Diagnostic } from 'vscode';
import type { Diagnosed } from '../editor-protocol.ts';

/** What VS Code's own servers say of a document, as `emend/diagnosed` takes it. VS Code counts severities from 0. */
export function diagnosedParams(uri: string, version: number, diagnostics: readonly Diagnostic[]): Diagnosed {
  return {
    uri,
    version,
    diagnostics: diagnostics.map(({ range, severity, code, message, source }) => {
      const plain = typeof code === 'object' ? code.value : code;
      return {
        range: {
          start: { line: range.start.line, character: range.start.character },
          end: { line: range.end.line, character: range.end.character },
        },
        severity: severity + 1,
        message,
        ...(plain !== undefined && { code: plain }),
        ...(source !== undefined && { source }),
      };
    }),
  };
}
