import { distance } from 'fastest-levenshtein';
import { isWord } from './fold.ts';

/** The texts in which a misspelt word must stand nowhere else. */
interface Known {
  readonly old: string;
  readonly file: string;
}

/** Words of which one is a slip away from another. */
const DIRECTIVES = new Set(['ifdef', 'ifndef', 'elsif', 'elseif']);

/**
 * Whether a word of old_string is a slip of the pen for the file's: letters inside the word lost, doubled or swapped, or
 * a vowel mistaken, in a word that stands nowhere else. Another digit, case, first or last letter, or one part of the
 * word in another number (`itemsCount`) is another name.
 */
export function isMisspelling(yours: string, real: string, known: Known | undefined): boolean {
  if (Math.min(yours.length, real.length) < 5 || Math.abs(yours.length - real.length) > 2) return false;
  if (yours[0] !== real[0] || yours.at(-1) !== real.at(-1) || yours.length > 60 || real.length > 60) return false;
  const changes = distance(yours, real);
  if (!known) return changes <= 2;
  if (changes > (Math.max(yours.length, real.length) < 9 ? 2 : 3) || !isSlip(yours, real, changes)) return false;
  if (DIRECTIVES.has(yours) || DIRECTIVES.has(real)) return false;
  return !hasWord(known.file, yours) && known.old.indexOf(yours) === known.old.lastIndexOf(yours);
}

function isSlip(yours: string, real: string, changes: number): boolean {
  const [head, tail] = commonEnds(yours, real);
  const a = yours.slice(head, yours.length - tail);
  const b = real.slice(head, real.length - tail);
  if (a.length === 2 && b.length === 2 && /\p{Ll}/u.test(a)) return a[0] === b[1] && a[1] === b[0];
  if (a.length + b.length === 1 && isStray(a.length > b.length ? yours : real, head)) return true;
  if (!/^[\p{Ll}]*$/u.test(a) || !/^[\p{Ll}]*$/u.test(b)) return false;
  if (a.length === b.length) {
    if (a.length === 1) return /[aeiouy]/.test(a) && /[aeiouy]/.test(b);
    return a.length <= 3 && [...a].sort().join('') === [...b].sort().join('');
  }
  if (changes > 2 || Math.abs(a.length - b.length) > 1) return false;
  const longer = a.length > b.length ? yours : real;
  const letter = a.length > b.length ? a : b;
  return letter.length === 1 ? !endsPart(longer, head, letter) : changes <= 2 && letter.length <= 3;
}

/** A letter that doubles its neighbour, or a capital before the rest of its word: nothing that names differ by. */
function isStray(word: string, offset: number): boolean {
  const [before, letter, after] = [word[offset - 1], word[offset] ?? '', word[offset + 1] ?? ''];
  const isDoubled = /\p{L}/u.test(letter) && (letter === before || letter === after);
  return isDoubled || (/\p{Lu}/u.test(letter) && /\p{Ll}/u.test(after));
}

/** Whether a letter is the last of a part of a compound name and so may be its plural or tense. */
function endsPart(word: string, offset: number, letter: string): boolean {
  return /[sdr]/.test(letter) && !/\p{Ll}/u.test(word[offset + 1] ?? '');
}

function commonEnds(a: string, b: string): readonly [number, number] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return [head, tail];
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWord(text.charCodeAt(at - 1)) && !isWord(text.charCodeAt(at + word.length))) return true;
  }
  return false;
}
