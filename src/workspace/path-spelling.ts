import { isAbsolute, resolve } from 'node:path';
import { shortened } from './truncation.ts';
import { pathOfUri } from './uri.ts';
import { visibleName } from './visible-text.ts';

/** A path as a caller wrote it, made absolute. */
type SpelledPath =
  | { readonly status: 'path'; readonly path: string }
  | { readonly status: 'wrong'; readonly message: string };

interface SpellingContext {
  /** What relative paths start from; absolute. */
  readonly root: string;
  /** What a leading `~/` stands for. */
  readonly home: string | undefined;
}

const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 4095;

/**
 * Reads a path the way it was meant: quotes around it fall away, `file:` uris and a leading `~/` are resolved. What no
 * file can be called is wrong, and the message says why.
 */
export function readPath(spelled: string, context: SpellingContext): SpelledPath {
  const bare = withoutQuotes(spelled.trim() === '' ? '' : spelled);
  if (bare === '') return wrong('the path is empty. Name a file');
  const control = /[\x00-\x1f\x7f]/.exec(bare)?.[0];
  if (control !== undefined) {
    const found = `the path ${JSON.stringify(bare)} has a control character (${visibleName(control)})`;
    // Written out, a NUL is no name either.
    const meant = visibleName(bare.replaceAll('\0', ''));
    return wrong(`${found}. ${meant === '' ? 'Name a file' : `Did you mean ${meant}?`}`);
  }
  const plain = /^file:/i.test(bare) ? pathOfFileUri(bare) : bare;
  if (plain === undefined || /^[a-z][a-z0-9+.-]+:\/\//i.test(plain)) {
    return wrong(`${bare} is not a file path. Name a file, or use a file: uri`);
  }
  const path = absolute(plain, context);
  if (path === undefined) return wrong(`${bare}: there is no home folder here. Write the path out`);
  const long = path.split('/').find((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  if (long !== undefined || Buffer.byteLength(path) > MAX_PATH_BYTES) {
    const shown = shortened(long ?? path, 40);
    return wrong(`the path is too long: ${shown} has ${Buffer.byteLength(long ?? path)} bytes`);
  }
  return { status: 'path', path };
}

function absolute(path: string, { root, home }: SpellingContext): string | undefined {
  if (path !== '~' && !path.startsWith('~/')) return isAbsolute(path) ? resolve(path) : resolve(root, path);
  return home === undefined ? undefined : resolve(home, `.${path.slice(1)}`);
}

/** `undefined` for what is no uri. */
function pathOfFileUri(text: string): string | undefined {
  try {
    return pathOfUri(text);
  } catch {
    return undefined;
  }
}

function withoutQuotes(path: string): string {
  return /^(["'`])(.+)\1$/s.exec(path)?.[2] ?? path;
}

function wrong(message: string): SpelledPath {
  return { status: 'wrong', message };
}
