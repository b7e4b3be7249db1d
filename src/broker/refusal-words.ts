import { characterStart } from '../workspace/truncation.ts';
import { rangeWords } from './range-words.ts';
import { type Refusal, refuse } from './refusal.ts';

/** The one place that words why an edit was not made: what is wrong with the value in it, then what to do. */

/** So many places are named in one refusal. */
export const MAX_PLACES = 40;

/** A place in a file: 1-based line, and the function, class or section that it lies in, where one is known. */
export interface Place {
  readonly line: number;
  readonly symbol: string | undefined;
}

/** The file's lines most like old_string (1-based, inclusive), and where they differ. */
export interface Nearest {
  readonly first: number;
  readonly last: number;
  readonly equal: number;
  readonly of: number;
  readonly differences: readonly Difference[];
  /** The function, class or section that the first of them lies in or begins, where one is known. */
  readonly symbol?: string;
}

/** One line on each side, `undefined` where that side has none; `line` is the file's, 1-based. */
export interface Difference {
  readonly line: number;
  readonly yours: string | undefined;
  readonly file: string | undefined;
}

const shownPath = (path: string | undefined): string => path ?? 'the file';
const counted = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`;

/** Refuses an empty old_string for a file with content. */
export function emptyOld(path: string | undefined): Refusal {
  return refuse(
    'empty_old',
    `old_string is empty and ${shownPath(path)} is not. Copy the lines to change into old_string, or Write the whole file.`,
  );
}

/** Refuses an edit that says the same twice. */
export function identical(): Refusal {
  return refuse(
    'identical',
    'old_string and new_string are the same. Nothing to do: send the text that is to stand there.',
  );
}

/** Refuses an old_string that is too short to be found by anything but itself. */
export function tooShort(path: string | undefined): Refusal {
  return refuse(
    'too_short',
    `old_string has under 5 characters and is not in ${shownPath(path)} as it stands. Add the text around it.`,
  );
}

/** Refuses a place, from line `first` to `last` (1-based), out of proportion to old_string. */
export function tooWide(path: string | undefined, first: number, last: number): Refusal {
  return refuse(
    'too_wide',
    `old_string would stand for ${rangeWords([first, last])} of ${shownPath(path)}, far more than it shows. Copy those lines whole, or send several smaller edits.`,
  );
}

/** Refuses more places than are changed at once; `places` is the first count that is too high. */
export function tooMany(path: string | undefined, places: number): Refusal {
  return refuse(
    'too_wide',
    `over ${places - 1} places fit old_string in ${shownPath(path)}, more than are changed at once, and none was. Give old_string more text and send several edits.`,
  );
}

/** Refuses a new_string with a mark for left-out code that old_string does not have. */
export function elision(mark: string): Refusal {
  return refuse(
    'elision',
    `new_string has "${mark}", which would be written as it is in place of code. Write the lines out, or leave them out of both strings.`,
  );
}

/** Refuses a content that has the line numbers which Read puts before lines. */
export function shownNumbers(): Refusal {
  return refuse(
    'invalid_arguments',
    'content has a line number and "→" before each line, as Read shows them; they are not part of a file. Send the lines without them.',
  );
}

/** Says that new_string stands at lines `first` to `last` (1-based) already. */
export function alreadyApplied(first: number, last: number): Refusal {
  return refuse(
    'already_applied',
    `new_string is already at ${rangeWords([first, last])} and old_string is gone. Nothing to do.`,
  );
}

/** Refuses an edit of what an earlier edit of the same call wrote; `line` is 1-based. */
export function overlapsEarlier(line: number): Refusal {
  return refuse(
    'conflict',
    `it changes what an earlier edit of this call wrote, at L${line} of the text as that left it. Make both changes in one edit.`,
  );
}

/** A refusal of one edit of several: which one it was, and that none was made. `at` is 0-based. */
export function inEdit(
  refusal: Refusal,
  place: { readonly at: number; readonly of: number; readonly shown: string },
): Refusal {
  if (place.of === 1) return refuse(refusal.code, refusal.message);
  const why = refusal.message.replace(/^old_string is not in .* \(\d+ lines?\)\. /, '');
  return refuse(
    refusal.code,
    `edit ${place.at + 1} of ${place.of} (${place.shown}). No file was changed. ${capital(why)}`,
  );
}

/** A sentence begins with a capital, but for a path or a parameter. */
const capital = (text: string): string =>
  text.replace(/^(?:it|two|this|no|over) /, (word) => word.charAt(0).toUpperCase() + word.slice(1));

/** Names places that fit; `all`: how many there are, where not all are given, or how many at least. */
export function ambiguous(
  path: string | undefined,
  places: readonly Place[],
  all: { readonly count: number; readonly isAtLeast?: boolean } = { count: places.length },
): Refusal {
  const shown = places.slice(0, MAX_PLACES).map(({ line, symbol }) => (symbol ? `L${line} (${symbol})` : `L${line}`));
  const [over, count] = all.isAtLeast ? ['over ', all.count - 1] : ['', all.count];
  const more = count > shown.length ? ` and ${over}${count - shown.length} more` : '';
  return refuse(
    'ambiguous',
    `${over}${count} places fit old_string in ${shownPath(path)}: ${shown.join(', ')}${more}. Add a line that differs, or set replace_all.`,
  );
}

/** Says that old_string is nowhere in the file of so many lines, and what is nearest to it, with the difference. */
export function noMatch(path: string | undefined, lines: number, nearest: Nearest | undefined): Refusal {
  const near = nearest ? nearestWords(path, nearest) : `Nothing in it is like it. Read ${shownPath(path)} first.`;
  return refuse('no_match', `old_string is not in ${shownPath(path)} (${counted(lines)}). ${near}`);
}

/** The same where not every place could be looked at: it may be there in another form. A smaller edit costs less. */
export function unsearched(path: string | undefined, lines: number, nearest: Nearest | undefined): Refusal {
  const head = `no exact place of old_string in ${shownPath(path)} (${counted(lines)}).`;
  const near = nearest ? nearestWords(path, nearest) : `Read ${shownPath(path)} first.`;
  const advice = 'It is too large to be compared in full where it drifted: make it in smaller edits.';
  return refuse('no_match', `${head} ${near}\n${advice}`);
}

function nearestWords(path: string | undefined, nearest: Nearest): string {
  const { first, last, equal, of, symbol } = nearest;
  const offset = Math.max(1, first - 4);
  const within = symbol === undefined ? '' : `, in ${symbol}`;
  return [
    `Nearest: ${rangeWords([first, last])}, ${equal} of ${counted(of)} equal${within}; difference:`,
    ...nearest.differences.flatMap(differenceLines),
    `Copy the file's text, or Read ${shownPath(path)} offset ${offset} limit ${last - offset + 5}.`,
  ].join('\n');
}

function differenceLines({ line, yours, file }: Difference): readonly string[] {
  const [left, right] = window(yours ?? '', file ?? '');
  return [
    `${line} yours: ${yours === undefined ? '(no such line)' : left}`,
    `${line} file:  ${file === undefined ? '(no such line)' : right}`,
  ];
}

const MAX_SHOWN = 100;

/** Both lines around their first difference, with what can't be seen made visible. */
function window(yours: string, file: string): readonly [string, string] {
  let same = 0;
  while (same < yours.length && same < file.length && yours[same] === file[same]) same += 1;
  // Up to there both lines are the same.
  const from = yours.length <= MAX_SHOWN && file.length <= MAX_SHOWN ? 0 : Math.max(0, same - 30);
  const start = characterStart(yours, from);
  const cut = (line: string): string => {
    const rest = line.slice(start);
    const shown = visible(rest.slice(0, characterStart(rest, MAX_SHOWN)));
    return `${start > 0 ? '…' : ''}${shown === '' ? '(empty)' : shown}${rest.length > MAX_SHOWN ? '…' : ''}`;
  };
  return [cut(yours), cut(file)];
}

/** Blanks as `·`, tabs as `→`, other characters that can't be seen or told apart as their code point. */
function visible(line: string): string {
  return line
    .replace(/ /g, '·')
    .replace(/\t/g, '→')
    .replace(
      /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u2000-\u2027\u202a-\u2060\u2212\u3000\ufeff]|\p{M}/gu,
      (char) => `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}
