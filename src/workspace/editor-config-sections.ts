const MAX_SECTIONS = 300;
/** Names that all globs of a file write out together. */
const MAX_CHOICES = 5000;
/** What a glob with so many stars between two slashes counts for: it can be tried in as many more ways. */
const STAR_WEIGHTS = [1, 1, 1, 50];
const MAX_GLOBSTARS = 3;
const MAX_DEPTH = 4;
const MAX_LENGTH = 4096;
/** Whatever any parser takes for the end of a line. */
const LINE_ENDS = /[\n\r\v\f\u0085\u2028\u2029]/;

/** Whether an `.editorconfig` says, before its first section, that none above it counts. */
export function isRootConfig(text: string): boolean {
  for (const line of text.split(LINE_ENDS)) {
    const said = line.replaceAll('\ufeff', '').trim();
    if (said.startsWith('[')) return false;
    if (/^root\s*=\s*true$/i.test(said)) return true;
  }
  return false;
}

/**
 * The text of an `.editorconfig` without the sections whose globs could be tried in so many ways that it would take
 * long: a file of the project must not be able to stop us. The other lines are as they were.
 */
export function affordableSections(text: string): string {
  let sections = 0;
  let choices = 0;
  let isKept = true;
  const lines = text.split(LINE_ENDS).map((line) => {
    const start = line.indexOf('[');
    if (start >= 0 && line.slice(0, start).replaceAll('\ufeff', '').trim() === '') {
      const cost = globCost(line.slice(start + 1, Math.max(start + 1, line.lastIndexOf(']'))));
      sections += 1;
      isKept = sections <= MAX_SECTIONS && choices + cost <= MAX_CHOICES;
      if (isKept) choices += cost;
    }
    return isKept ? line : '';
  });
  return lines.join('\n');
}

/** One level of braces that is open. */
interface Level {
  /** Names that the choices before this one stand for. */
  before: number;
  names: number;
  stars: number;
  mostStars: number;
}

/** How many names a glob writes out, each weighed by its stars; infinite where it is not to be tried at all. */
function globCost(glob: string): number {
  if (glob.length > MAX_LENGTH || glob.split('**').length - 1 > MAX_GLOBSTARS) return Number.POSITIVE_INFINITY;
  const levels: Level[] = [newLevel()];
  let most = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const level = levels.at(-1) ?? newLevel();
    const character = glob[at];
    if (character === '\\') at += 1;
    else if (character === '*' && glob[at - 1] !== '*') level.stars += 1;
    else if ('?@+!'.includes(character ?? '') && glob[at + 1] === '(') return Number.POSITIVE_INFINITY;
    else if (character === '{') {
      if (levels.length > MAX_DEPTH) return Number.POSITIVE_INFINITY;
      levels.push(newLevel());
      level.names *= rangeAt(glob, at);
    } else if (character === ',' && levels.length > 1) endChoice(level);
    else if (character === '}' && levels.length > 1) {
      levels.pop();
      endChoice(level);
      const outer = levels.at(-1) ?? newLevel();
      outer.names *= level.before;
      outer.stars += level.mostStars;
    }
    if (character === '/' && levels.length === 1) level.stars = 0;
    most = Math.max(most, level.stars, levels.at(-1)?.stars ?? 0);
  }
  return levels.reduce((product, { before, names }) => product * Math.max(1, before + names), 1) * weightOf(most);
}

const newLevel = (): Level => ({ before: 0, names: 1, stars: 0, mostStars: 0 });

function endChoice(level: Level): void {
  level.before += level.names;
  level.names = 1;
  level.mostStars = Math.max(level.mostStars, level.stars);
  level.stars = 0;
}

function weightOf(stars: number): number {
  return STAR_WEIGHTS[stars] ?? Number.POSITIVE_INFINITY;
}

/** How many numbers braces count, 1 where they count none. */
function rangeAt(glob: string, brace: number): number {
  const [, from, to] = /^\{([+-]?\d+)\.\.([+-]?\d+)\}/.exec(glob.slice(brace, brace + 64)) ?? [];
  return from === undefined || to === undefined ? 1 : Math.abs(Number(to) - Number(from)) + 1;
}
