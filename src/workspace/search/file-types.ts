import { outsideBraces } from './glob-pattern.ts';
import { withoutQuotes } from './meant-globs.ts';

/** File types: names that ripgrep knows, and globs on names for what it does not. A file is of any one of them. */
export interface FileTypes {
  readonly names: readonly string[];
  readonly globs: readonly string[];
}

/**
 * Reads a type as it was written: none (blank), one, or several with commas, blanks, `|` or `;` between them. `*.ts` and
 * `.ts` are names that end so. `path` tells of what is a path, and so no type.
 */
export function readFileTypes(text: string): FileTypes | { readonly path: string } | undefined {
  const parts = [',', ' ', '|', ';'].reduce<readonly string[]>(
    (all, separator) => all.flatMap((part) => outsideBraces(part, separator)),
    [withoutQuotes(text.trim())],
  );
  const types = parts.map((part) => withoutQuotes(part.trim())).filter((part) => part !== '');
  if (types.length === 0) return undefined;
  const path = types.find((type) => type.includes('/'));
  if (path !== undefined) return { path };
  const isGlob = (type: string): boolean => /[*?[{]|^\./.test(type);
  return {
    names: types.filter((type) => !isGlob(type)),
    globs: types.filter(isGlob).map((type) => (type.startsWith('.') ? `*${type}` : type)),
  };
}

/** The same types, with one that ripgrep does not know taken for an extension. */
export function withExtension({ names, globs }: FileTypes, unknown: string): FileTypes {
  return { names: names.filter((name) => name !== unknown), globs: [...globs, `*.${unknown}`] };
}
