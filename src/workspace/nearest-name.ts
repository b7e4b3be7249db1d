import { distance } from 'fastest-levenshtein';

/** More letters wrong than this, and something else is meant. */
const MAX_WRONG = 2;

/** The name that was most likely meant: the same in another case, else the one with the fewest letters wrong. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  const graded = names.map((name) => ({ name, wrong: distance(wanted, name.toLowerCase()) }));
  const [nearest] = graded.sort((a, b) => a.wrong - b.wrong);
  return nearest && nearest.wrong <= Math.min(MAX_WRONG, wanted.length / 2) ? nearest.name : undefined;
}
