const MAX_LENGTH = 256;
const MAX_STARS = 3;
const MAX_STARS_A_PART = 2;
const MAX_GLOBSTARS = 2;
const MAX_BRACES = 4;

/**
 * Why a glob of a deny list is not taken; `undefined` where it is. Every path is compared with it, and what can
 * match in many ways takes time that grows with their number: a project could stop us by it.
 */
export function globFault(glob: string): string | undefined {
  if (glob.length > MAX_LENGTH) return `It has ${glob.length} characters; give at most ${MAX_LENGTH}`;
  if (glob.startsWith('!')) return 'There are no exceptions to a deny list; leave out the !';
  // A parenthesis, and a + behind one or behind ], would be read as those of a regular expression.
  if (/[()|]|\]\+/.test(glob)) return 'Groups like +(a|b) are not taken; give a list of globs, or {a,b}';
  if (isOpen(glob, '[', ']') || isOpen(glob, '{', '}')) return 'A [ or { is not closed; close it, or leave it out';
  if (glob.split('{').length - 1 > MAX_BRACES) return `Give at most ${MAX_BRACES} times {a,b}`;
  // These would match nothing, without a word.
  if (glob.trim() !== glob) return 'It begins or ends with a blank; leave that out';
  if (/\/\/|\/\.\.?(?:\/|$)|^\.\.(?:\/|$)/.test(glob)) return 'It has an empty part, . or ..; leave that out';
  const parts = glob.split('/');
  if (parts.filter((part) => part === '**').length > MAX_GLOBSTARS) return `Give at most ${MAX_GLOBSTARS} parts **`;
  const stars = parts.map((part) => (part === '**' ? 0 : part.split('*').length - 1));
  if (Math.max(...stars) > MAX_STARS_A_PART) return `Give at most ${MAX_STARS_A_PART} * between two /`;
  const all = stars.reduce((sum, count) => sum + count, 0);
  return all > MAX_STARS ? `Give at most ${MAX_STARS} * beside **` : undefined;
}

function isOpen(glob: string, open: string, close: string): boolean {
  return glob.lastIndexOf(open) > glob.lastIndexOf(close) || glob.split(open).length > glob.split(close).length;
}
