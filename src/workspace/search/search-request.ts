import type { FileFilter } from './file-filter.ts';

/** Where a search happens. */
export interface SearchPlace {
  /** The folder that ripgrep runs in; absolute, links resolved. */
  readonly folder: string;
  /** What it is given: `./`, or `./name` for one file. It always has a path, or it would read its stdin. */
  readonly target: string;
}

/** What is looked for, where, and how much of it is wanted. */
export interface GrepRequest {
  /** A regular expression as ripgrep reads it; what only PCRE2 can read goes to PCRE2. */
  readonly pattern: string;
  readonly place: SearchPlace;
  readonly filter: FileFilter;
  readonly mode: GrepMode;
  /** Lines of context around each match. */
  readonly before: number;
  readonly after: number;
  readonly switches: ReadonlySet<'ignore-case' | 'multiline' | 'no-ignore'>;
  /** Of matching lines, or of files where files are asked for. */
  readonly limit: number;
  readonly offset: number;
  /** Bytes of UTF-8 that the lines may take in all. */
  readonly maxBytes: number;
  /** Milliseconds for the whole search. */
  readonly budgetMs: number;
}

/** What is shown of a match: its file, its lines, or how many there are. */
export type GrepMode = 'files_with_matches' | 'content' | 'count';

/** Of all searches: hidden files in, `.git` out, ignore files also outside of git. */
export const WALK_ARGS: readonly string[] = ['--hidden', '--no-require-git', '--glob', '!.git'];

/** ripgrep's arguments, without the path. `ignoreFile` is where the filter's own ignore file lies. */
export function grepArgs(request: GrepRequest, ignoreFile: string | undefined): readonly string[] {
  const { switches, mode } = request;
  const multiline = multilinePattern(request.pattern);
  return [
    ...WALK_ARGS,
    '--json',
    '--sort=path',
    '--engine=auto',
    '--crlf',
    ...(mode === 'files_with_matches' ? ['--max-count=1'] : []),
    ...(mode === 'content' ? [`--before-context=${request.before}`, `--after-context=${request.after}`] : []),
    ...(switches.has('ignore-case') ? ['--ignore-case'] : []),
    ...(switches.has('multiline') ? ['--multiline', '--multiline-dotall'] : multiline.isNeeded ? ['--multiline'] : []),
    ...filterArgs(request.filter, { isIgnoreOff: switches.has('no-ignore'), ignoreFile }),
    '--regexp',
    multiline.pattern,
  ];
}

/** ripgrep's arguments for the files that a search looks at. */
export function filterArgs(
  filter: FileFilter,
  options: { readonly isIgnoreOff: boolean; readonly ignoreFile: string | undefined },
): readonly string[] {
  return [
    ...(options.isIgnoreOff ? ['--no-ignore'] : []),
    ...filter.args,
    ...(options.ignoreFile === undefined ? [] : ['--ignore-file', options.ignoreFile]),
  ];
}

/**
 * A line end in a pattern, written `\n` or as it is, means one in the file, of either kind. Left to itself ripgrep
 * would refuse it, find nothing by PCRE2, or take a real one for the end of a pattern.
 */
function multilinePattern(pattern: string): { readonly pattern: string; readonly isNeeded: boolean } {
  let result = '';
  // Where the dot is told to take line ends, it is meant to meet some.
  let isNeeded = /(?<!\\)\(\?[imuxU]*s[imsuxU]*[:)]/.test(pattern);
  let isInClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    const escaped = character === '\\' ? pattern.slice(at, at + 2) : undefined;
    const isLineEnd = character === '\n' || escaped === '\\n';
    if (isLineEnd) isNeeded = true;
    if (character === '[' && !isInClass) isInClass = true;
    else if (character === ']' && !/\[\^?$/.test(result)) isInClass = false;
    result +=
      isLineEnd && !isInClass && !/\\r\??$/.test(result) ? '\\r?\\n' : isLineEnd ? '\\n' : (escaped ?? character);
    if (escaped !== undefined) at++;
  }
  return { pattern: result, isNeeded };
}
