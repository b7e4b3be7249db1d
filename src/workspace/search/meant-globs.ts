import { outsideBraces, splitPatterns } from './glob-pattern.ts';

/** Globs as ripgrep reads them, or why there is no saying which were meant. */
type MeantGlobs =
  | { readonly status: 'globs'; readonly globs: readonly string[] }
  | { readonly status: 'wrong'; readonly message: string };

const MAX_RANGE = 1000;
const MAX_LENGTH = 4096;
/** Stars of one part of a path that something follows: each more of them is one more way to try every name. */
const MAX_STARS = 4;
const MAX_GLOBSTARS = 4;

/**
 * Reads globs the way they were meant where another tool's form is clear: quotes around them fall away, `*.a|*.b` and
 * `*.a;*.b` are two, `(a|b)` and `@(a|b)` are `{a,b}`, `{1..3}` is `{1,2,3}`, and an escape such as `\n` stands for the
 * one character that a name is shown with. What ripgrep has no form for is wrong.
 */
export function meantGlobs(text: string): MeantGlobs {
  if (text.includes('\0'))
    return { status: 'wrong', message: 'has a NUL character, which no name holds. Leave it out' };
  if (text.length > MAX_LENGTH) {
    return {
      status: 'wrong',
      message: `has ${text.length} characters. Give at most ${MAX_LENGTH}, or several patterns`,
    };
  }
  const globs: string[] = [];
  for (const part of listed(withoutQuotes(text.trim()))) {
    const glob = withBraces(
      withoutQuotes(part)
        .replace(/[\x01-\x1f\x7f]/g, '?')
        .replace(SHOWN_ESCAPE, '{?,\\$&}')
        .replace(SHOWN_WIDE, '{*,\\$&}'),
    );
    const extended = /(?<!\\)(?:[?*+!@]?\([^()]*\|[^()]*\)|!\([^()]+\))/.exec(glob)?.[0];
    if (extended !== undefined) {
      const names = extended.replace(/^[?*+!@]?\(|\)$/g, '').split('|');
      const form = names.length === 1 ? (names[0] ?? '') : `{${names.join(',')}}`;
      const how = extended.startsWith('!') ? `**/*, !${form}` : form;
      const message = `has ${extended}, which is not understood. Write ${how}; a glob that begins with ! leaves out`;
      return { status: 'wrong', message };
    }
    const counted = withRanges(glob);
    if (counted === undefined) {
      return { status: 'wrong', message: `counts more than ${MAX_RANGE} names in one pair of braces. Use * there` };
    }
    const tooMany = tooManyStars(counted);
    if (tooMany !== undefined) return { status: 'wrong', message: tooMany };
    globs.push(counted);
  }
  return { status: 'globs', globs };
}

/** Every path is compared with a glob, and one with many stars can fit a long name in more ways than can be tried. */
function tooManyStars(glob: string): string | undefined {
  const parts = glob.split('/').filter((part, index, all) => part !== '**' || all[index - 1] !== '**');
  if (parts.filter((part) => part === '**').length > MAX_GLOBSTARS) {
    return `has more than ${MAX_GLOBSTARS} parts **. Leave some out: ** takes any folders`;
  }
  const stars = Math.max(...parts.map((part) => (part === '**' ? 0 : (part.match(/\*+(?=[^*])/g) ?? []).length)));
  return stars > MAX_STARS ? `has ${stars} stars in one name. Give at most ${MAX_STARS}` : undefined;
}

/** Whether what was meant is not the text as it stands, which may all the same be the name of a file. */
export function isReadOtherwise(text: string, meant: MeantGlobs): boolean {
  if (text.includes('\0')) return false;
  return meant.status === 'wrong' || meant.globs.length !== 1 || meant.globs[0] !== text || /^!|[{}]/.test(text);
}

/** As results show a control character in a name. */
const SHOWN_ESCAPE = /\\(?:[ntr]|x[0-9a-f]{2})/g;
/** Of several bytes, and `?` takes one. */
const SHOWN_WIDE = /\\u[0-9a-f]{4}/g;

/** A glob as it is, and where it has brackets also as a name that has brackets in it, as in `[id].tsx`. */
export function withLiteralBrackets(glob: string): readonly string[] {
  return /\[[^\]]+\]/.test(glob) ? [glob, literalBrackets(glob)] : [glob];
}

/** A glob that takes this path alone. */
export function literalGlob(path: string): string {
  return path.replace(/[*?[\]{}\\]/g, '\\$&').replace(/^(?=!)/, '\\');
}

function literalBrackets(path: string): string {
  return path.replace(/(?<!\\)[[\]]/g, '\\$&');
}

/** A glob that takes each letter in either case. */
export function anyCase(glob: string): string {
  let isInClass = false;
  return glob.replace(/\\.|[[\]]|\p{L}/gu, (piece) => {
    if (piece === '[' || piece === ']') isInClass = piece === '[';
    const [lower, upper] = [piece.toLowerCase(), piece.toUpperCase()];
    return piece.startsWith('\\') || isInClass || lower === upper ? piece : `{${lower},${upper}}`;
  });
}

/** A text without quotes around the whole of it. */
export function withoutQuotes(text: string): string {
  return /^(["'`])((?:(?!\1).)+)\1$/s.exec(text)?.[2] ?? text;
}

function listed(text: string): readonly string[] {
  const either = outsideBraces(text, '|').map((part) => part.trim());
  if (either.length > 1 && !either.includes('')) return either.flatMap(listed);
  const parts = outsideBraces(text, ';').map((part) => part.trim());
  const isList = parts.length > 1 && parts.every((part) => /[*?/.]/.test(part));
  return isList ? parts.flatMap((part) => splitPatterns(part)) : splitPatterns(text);
}

function withBraces(glob: string): string {
  return glob.replace(/(?<![\\?*+!@])@?\(([^()|]+(?:\|[^()|]+)+)\)/g, (_group, names: string) => {
    return `{${names.replaceAll('|', ',')}}`;
  });
}

/** `undefined` where a range is too long to be written out. */
function withRanges(glob: string): string | undefined {
  let isTooLong = false;
  const written = glob.replace(
    /\{(?:(-?\d+)\.\.(-?\d+)|([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))\}/g,
    (range, ...ends) => {
      const [from, to, ...letters] = ends.slice(0, 6) as (string | undefined)[];
      const [first, last] = letters.filter((letter) => letter !== undefined);
      const isLetters = first !== undefined && last !== undefined;
      const start = isLetters ? first.charCodeAt(0) : Number(from);
      const end = isLetters ? last.charCodeAt(0) : Number(to);
      const length = Math.abs(end - start) + 1;
      if (length > MAX_RANGE) {
        isTooLong = true;
        return range;
      }
      const width =
        /^-?0\d/.test(from ?? '') || /^-?0\d/.test(to ?? '') ? Math.max(`${from}`.length, `${to}`.length) : 0;
      const values = Array.from({ length }, (_, index) => start + (end < start ? -index : index));
      return `{${values.map((value) => (isLetters ? String.fromCharCode(value) : padded(value, width))).join(',')}}`;
    },
  );
  return isTooLong ? undefined : written;
}

function padded(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
}
