import { TextDocument } from 'vscode-languageserver-textdocument';
import { LANGUAGE_BY_EXTENSION, LANGUAGE_BY_NAME } from './language-ids.ts';
import { uriOfPath } from './uri.ts';

/** How a text was stored, so that it can be stored the same way again. */
export interface TextForm {
  /** IANA name in lower case, as in `utf-8`, `utf-16le`, `windows-1252`. */
  readonly encoding: string;
  /** Whether the bytes began with a byte order mark. The text itself never has it. */
  readonly hasBom: boolean;
  /** The encoding is a guess, good enough to look at: only ASCII is put in. */
  readonly isGuess?: true;
}

/**
 * One version of one file's text. A snapshot never changes: a change makes the next one, with a `TextDocument` of its
 * own. `path` is absolute and real (links resolved).
 */
export interface DocumentSnapshot {
  readonly path: string;
  readonly textDocument: TextDocument;
  readonly text: string;
  readonly form: TextForm;
}

/** The first snapshot of a document, or the next where `version` (1-based, growing) says so. */
export function createSnapshot(path: string, text: string, form: TextForm, version: number): DocumentSnapshot {
  return { path, textDocument: TextDocument.create(uriOfPath(path), languageIdOf(path), version, text), text, form };
}

const UTF8: TextForm = { encoding: 'utf-8', hasBom: false };

/** The form of a file that is new and about which nothing else is known. */
export function utf8Form(): TextForm {
  return UTF8;
}

/** The LSP `languageId` that a path's name or extension stands for, `plaintext` where none is known. */
export function languageIdOf(path: string): string {
  const named = LANGUAGE_BY_NAME.find(([pattern]) => pattern.test(path.slice(path.lastIndexOf('/') + 1)));
  if (named) return named[1];
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(LANGUAGE_BY_EXTENSION, extension)
    ? (LANGUAGE_BY_EXTENSION[extension] ?? 'plaintext')
    : 'plaintext';
}
