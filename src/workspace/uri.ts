import { URI } from 'vscode-uri';

/** The `file:` uri of an absolute path, percent-encoded as VS Code does it. */
export function uriOfPath(path: string): string {
  return URI.file(path).toString();
}

/**
 * The absolute path of a `file:` uri, however it is percent-encoded (servers spell one file in several ways), or
 * `undefined` for another scheme.
 */
export function pathOfUri(uri: string): string | undefined {
  const parsed = URI.parse(uri);
  return parsed.scheme === 'file' ? parsed.fsPath : undefined;
}
