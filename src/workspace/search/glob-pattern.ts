import { posix } from 'node:path';

/** A glob as it was written, split into the folder that it starts from and what is searched for in there. */
interface GlobPattern {
  /** Without any wildcard; relative, absolute, or `` for the folder that is searched anyway. */
  readonly base: string;
  /** `` where `base` is the whole pattern: a path, not a pattern. */
  readonly rest: string;
}

/** Several patterns written as one, with commas or blanks between them: `*.ts, *.tsx`. */
export function splitPatterns(text: string): readonly string[] {
  const parts = outsideBraces(text.trim(), ',').map((part) => part.trim());
  const isList = parts.length > 1 && parts.every((part) => part !== '' && /[*?/.]/.test(part));
  if (isList) return parts;
  const words = text.trim().split(/\s+/);
  return words.length > 1 && words.every((word) => /^!?[^\s]*\*/.test(word)) ? words : [text.trim()];
}

/**
 * Splits the folders off that a pattern names outright. `./` falls away, `..` is resolved, and a trailing slash asks
 * for all beneath. `isFolder` tells whether a name with brackets or braces in it, as in `app/[id]`, is a folder of that name.
 * A name after a folder that is named, or after `./`, is one in that folder itself: `rest` then begins with a slash.
 */
export async function splitPattern(
  pattern: string,
  isFolder: (path: string) => Promise<boolean>,
): Promise<GlobPattern> {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  const parts = whole.split('/').filter((part, index) => part !== '.' && (part !== '' || index === 0));
  let taken = 0;
  while (taken < parts.length) {
    const part = parts[taken] ?? '';
    if (hasWildcard(part)) {
      const literally = parts.slice(0, taken + 1).join('/');
      if (/[*?]/.test(part) || !(await isFolder(literally))) break;
    }
    taken++;
  }
  const base = parts.slice(0, taken).join('/');
  const rest = parts.slice(taken).join('/');
  const isPlaced = whole.includes('/') && rest !== '' && !rest.includes('/') && rest !== '**';
  return {
    base: base === '' && whole.startsWith('/') ? '/' : base === '' ? '' : posix.normalize(base),
    rest: isPlaced ? `/${rest}` : rest,
  };
}

/** Whether a text can match more than itself. */
export function hasWildcard(text: string): boolean {
  return /[*?[\]{}]/.test(text);
}

/** The parts between separators that stand in no braces, brackets or parentheses. */
export function outsideBraces(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\\') at++;
    else if ('{[('.includes(character)) depth++;
    else if ('}])'.includes(character)) depth = Math.max(0, depth - 1);
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
