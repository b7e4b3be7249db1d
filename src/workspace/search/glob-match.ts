/** Whether a path from the folder that is searched fits. */
export type PathMatch = (path: string) => boolean;

/**
 * Matches paths by globs the way ripgrep reads them, but by characters where it goes by bytes: `?` takes an `é`. A glob
 * without a slash is for names at any depth, one that begins with a slash is for that place alone.
 */
export function globMatch(globs: readonly string[]): PathMatch {
  const patterns = globs.map((glob) => {
    const isName = !glob.includes('/');
    return { isName, pattern: patternOf(glob.replace(/^\//, '')) };
  });
  const fits = (path: string): boolean => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return patterns.some(({ isName, pattern }) => pattern === undefined || pattern.test(isName ? name : path));
  };
  // A byte that is no UTF-8 is shown as `\xff`, and is one character of the name.
  return (path) => fits(path) || (/\\x[0-9a-f]{2}/.test(path) && fits(path.replace(/\\x[0-9a-f]{2}/g, '\ufffd')));
}

/** Every glob that ripgrep has to be given so that it misses nothing which fits: it may find more. */
export function coarseGlobs(glob: string): readonly string[] {
  return withoutEmptyChoices(glob).map((one) =>
    one.replace(/\\.|\*?(?:\?+\*?)+|\[[!^]?\]?[^\]]*\]/gs, (piece) => {
      if (piece.startsWith('\\')) return piece;
      return piece.startsWith('[') && /^\[(?![!^])[\x01-\x7f]*$/.test(piece) ? piece : '*';
    }),
  );
}

/** More globs than this are not written out: one that finds too much stands for them. */
const MAX_CHOICES = 64;

/** `{,deep/}*.ts` as `*.ts` and `deep/*.ts`: ripgrep has no choice that is empty. */
function withoutEmptyChoices(glob: string): readonly string[] {
  let globs: readonly string[] = [glob];
  for (;;) {
    const next = globs.flatMap((one) => {
      const choice = /(?<!\\)\{((?:[^{}]*,)?(?:,[^{}]*)?)\}/.exec(one);
      const names = choice?.[1]?.split(',') ?? [];
      if (!choice || names.length < 2 || !names.includes('')) return [one];
      const rest = one.slice(choice.index + choice[0].length);
      return names.map((name) => `${one.slice(0, choice.index)}${name}${rest}`);
    });
    if (next.length === globs.length) return globs;
    if (next.length > MAX_CHOICES) return ['**'];
    globs = next;
  }
}

/** `undefined` where it is no glob; ripgrep says why. */
function patternOf(glob: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${sourceOf(glob)})$`, 'su');
  } catch {
    return undefined;
  }
}

const PIECES = /\\(.)|(?<=^|[/{,])(?:\*\*\/)+|(?<=^|[/{,])\*\*(?=[},]|$)|\*+|\?|\[([!^]?)(\]?[^\]]*)\]|[{},]|./gsu;

function sourceOf(glob: string): string {
  let depth = 0;
  return glob.replace(PIECES, (piece, escaped: string | undefined, negation: string | undefined, inner: string) => {
    if (escaped !== undefined) return literal(escaped);
    if (/^(?:\*\*\/)+$/.test(piece)) return '(?:[^/]+/)*';
    if (piece === '**') return '.+';
    if (piece.startsWith('*')) return '[^/]*';
    if (piece === '?') return '[^/]';
    if (negation !== undefined) return `[${negation === '' ? '' : '^/'}${inner.replace(/[\\[\]^]/g, '\\$&')}]`;
    if (piece === '{') depth++;
    if (piece === '{') return '(?:';
    if (piece === '}' && depth > 0) {
      depth--;
      return ')';
    }
    return piece === ',' && depth > 0 ? '|' : literal(piece);
  });
}

function literal(character: string): string {
  return /[\^$\\.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
