import type { FileTypes } from './file-types.ts';
import { coarseGlobs, globMatch, type PathMatch } from './glob-match.ts';

/** Which of the files that ripgrep finds are wanted, in its own terms. */
export interface FileFilter {
  readonly args: readonly string[];
  /** The text of an `--ignore-file` that the search needs beside the arguments. */
  readonly ignoreFile: string | undefined;
  /** Of what ripgrep finds, what is wanted; `undefined`: all. */
  readonly accepts: PathMatch | undefined;
}

const TYPE = 'emend';
const OWN_TYPE = 'emendtype';
const EVERYTHING = new Set(['', '*', '**', '**/*', '**/**']);

/**
 * Turns globs and a file type into a filter. A glob without a slash names files at any depth, one with a slash a path
 * from the folder that is searched (`/*.ts`: in that folder itself), one with `!` what is not wanted.
 *
 * ripgrep's own `--glob` is used for what is not wanted only: a file that it includes is shown even where an ignore
 * file hides it. File types and ignore files do not have that effect; but a project's own ignore files come
 * before ours, and what they take in again is found too, so the paths are matched once more.
 */
export function fileFilter(globs: readonly string[], types?: FileTypes): FileFilter {
  const wanted = globs.filter((glob) => !glob.startsWith('!')).map(simplest);
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const byCharacters = unwanted.filter((glob) => coarseGlobs(glob).join() !== glob);
  const spares = byCharacters.length === 0 ? undefined : sparedBy(byCharacters);
  const args = unwanted.filter((glob) => !byCharacters.includes(glob)).flatMap((glob) => ['--glob', `!${glob}`]);
  const typeArgs = types === undefined ? [] : typeArgsOf(types);
  if (wanted.length === 0 || wanted.some((glob) => EVERYTHING.has(glob))) {
    return { args: [...args, ...typeArgs], ignoreFile: undefined, accepts: spares };
  }
  const coarse = wanted.flatMap(coarseGlobs);
  const names = coarse.map(nameOf);
  const nameArgs =
    types !== undefined || names.includes(undefined)
      ? typeArgs
      : [...names.flatMap((name) => ['--type-add', `${TYPE}:${name}`]), '--type', TYPE];
  const needsFile = types !== undefined || wanted.some((glob) => glob.includes('/'));
  const isExact = !needsFile && coarse.every((glob, index) => glob === wanted[index]);
  return {
    args: [...args, ...nameArgs],
    ignoreFile: needsFile ? ignoreAllBut(coarse) : undefined,
    accepts: isExact ? spares : both(globMatch(wanted), spares),
  };
}

/** Whether a path is outside of what these globs leave out, which is a folder with all beneath as well. */
function sparedBy(globs: readonly string[]): PathMatch {
  const fitsFolder = globMatch(globs.map((glob) => glob.replace(/\/$/, '')));
  const fits = globMatch(globs.filter((glob) => !glob.endsWith('/')));
  return (path) => {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      if (fitsFolder(path.slice(0, end))) return false;
    }
    return !fits(path);
  };
}

function both(one: PathMatch, other: PathMatch | undefined): PathMatch {
  return other ? (path) => one(path) && other(path) : one;
}

function typeArgsOf({ names, globs }: FileTypes): readonly string[] {
  const own = globs.flatMap((glob) => ['--type-add', `${OWN_TYPE}:${glob}`]);
  return [...own, ...[...names, ...(own.length > 0 ? [OWN_TYPE] : [])].flatMap((name) => ['--type', name])];
}

/** `**` before a name says no more than the name alone. */
function simplest(glob: string): string {
  const name = glob.replace(/^(?:\*\*\/)+/, '');
  return name.includes('/') || name === '**' ? glob : name;
}

/** What the last part of a path must be like; `undefined` where the glob does not say. */
function nameOf(glob: string): string | undefined {
  const name = glob.slice(slashOutsideBraces(glob) + 1);
  return name.includes('/') || EVERYTHING.has(name) ? undefined : name;
}

function slashOutsideBraces(glob: string): number {
  let depth = 0;
  let last = -1;
  for (let at = 0; at < glob.length; at++) {
    if (glob[at] === '{') depth++;
    else if (glob[at] === '}') depth--;
    else if (glob[at] === '/' && depth === 0) last = at;
  }
  return last;
}

function ignoreAllBut(globs: readonly string[]): string {
  const lines = globs.map((glob) => {
    const place = glob.includes('/') && !glob.startsWith('**/') ? `/${glob.replace(/^\//, '')}` : glob;
    // Blanks at the end of a line would be left out.
    return `!${place.replace(/(?<! ) +$/, (blanks) => '\\ '.repeat(blanks.length))}`;
  });
  return `${['*', '!*/', ...lines].join('\n')}\n`;
}
