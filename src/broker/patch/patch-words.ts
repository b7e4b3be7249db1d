import { type ErrorCode, type Refusal, refuse } from '../refusal.ts';

/** The one place that words why a patch was not made. */

/** Which hunk of several a refusal is about; the engine's words for strings are said of lines. */
export function inHunk(
  refusal: Refusal,
  place: { readonly at: number; readonly of: number; readonly shown: string },
): Refusal {
  const why = aboutLines(refusal.message);
  if (place.of === 1) return refuse(refusal.code, NAMELESS.has(refusal.code) ? `${place.shown}: ${why}` : ofHunk(why));
  return refuse(refusal.code, `hunk ${place.at + 1} of ${place.of} (${place.shown}): ${why}`);
}

/** What is said under these codes names no file. */
const NAMELESS: ReadonlySet<ErrorCode> = new Set(['already_applied', 'elision', 'identical']);

/** Words that go on from the number of a hunk, where there is no number. */
const ofHunk = (why: string): string => why.replace(/^its /, "the hunk's ").replace(/^it /, 'the hunk ');

/** A refusal of one file of several, and that none was changed. */
export function inPatch(refusal: Refusal, of: number): Refusal {
  if (of === 1) return refusal;
  return refuse(
    refusal.code,
    `No file was changed. ${refusal.message.replace(
      /^(?:hunk|the|after|two|no|over) /,
      (word) => word.charAt(0).toUpperCase() + word.slice(1),
    )}`,
  );
}

/** The file's own lines, which are quoted behind a number, may have these words too. */
function aboutLines(message: string): string {
  return message
    .split('\n')
    .map((line) =>
      /^\d+ (?:yours|file): /.test(line)
        ? line
        : line
            .replace(
              'Add a line that differs, or set replace_all.',
              'Add lines around it, or an @@ line with the function or class it is in.',
            )
            .replace('this edit was made already', 'this hunk was made already')
            .replace('add a line to old_string', 'give it a line of context more')
            .replace('old_string and new_string are the same', 'the hunk changes nothing')
            .replace(
              /\bold_string has (.*) and is not in (.*) as it stands/,
              "the hunk's kept and - lines have $1 and are not in $2 as they stand",
            )
            .replace('far more than it shows', 'far more than they show')
            .replace(
              'It is too large to be compared in full where it drifted: make it in smaller edits.',
              'The hunk is too large to be compared in full where it drifted: make it in smaller hunks.',
            )
            .replace('and old_string is gone', 'and its - lines are gone')
            .replace(/\bold_string is\b/g, "the hunk's lines are")
            .replace(/\bold_string has\b/g, "the hunk's kept and - lines have")
            .replace(/\bnew_string is\b/g, "the hunk's kept and + lines are")
            .replace(
              /\bnew_string has (".*"), which would be written as it is/g,
              "the hunk's + lines have $1, which would be written as it is",
            )
            .replace(/\bfit old_string\b/g, "fit the hunk's lines")
            .replace(/\bold_string\b/g, "the hunk's kept and - lines")
            .replace(/\bnew_string\b/g, "the hunk's kept and + lines"),
    )
    .join('\n');
}

/** Refuses a move of a file to its own path. */
export function movedOntoItself(shown: string, hasHunks: boolean): Refusal {
  const end = hasHunks ? 'Leave "*** Move to" out to edit it where it is.' : 'Nothing to do.';
  return refuse('identical', `${shown} would be moved onto itself. ${end}`);
}

/** Parts of a patch that take each other back. */
export function nothingLeft(shown: readonly string[]): Refusal {
  const are = shown.length === 1 ? 'is' : 'are';
  return refuse('identical', `after all parts of the patch ${shown.join(', ')} ${are} as before. Nothing to do.`);
}

/** A git diff that deletes a file and shows no line of it. */
export function notEmpty(shown: string, lines: number): Refusal {
  const count = `${lines} ${lines === 1 ? 'line' : 'lines'}`;
  return refuse(
    'no_match',
    `${shown} has ${count}, and the diff deletes an empty file. Show its lines with -, or send "*** Delete File: ${shown}".`,
  );
}

/** Refuses an update without a changed line. */
export function emptyPatch(shown: string): Refusal {
  return refuse('identical', `the patch has no - and no + line for ${shown}. Say what goes and what comes.`);
}

/** Refuses hunks that change the same lines. */
export function overlappingHunks(shown: string): Refusal {
  return refuse('conflict', `two hunks change the same lines of ${shown}. Make them one hunk.`);
}

/** Refuses a hunk whose lines, from `line` (1-based) on, come before those of an earlier one. */
export function hunkOrder(shown: string, line: number): Refusal {
  return refuse(
    'conflict',
    `its lines are at L${line} of ${shown}, above those of the hunk before it. Put the hunks in the order of the file.`,
  );
}

/** Refuses a hunk whose lines stand at one place only, and that not under its header; lines are 1-based. */
export function notUnderHeader(
  shown: string,
  place: { readonly line: number; readonly header: string; readonly headerLine: number },
): Refusal {
  return refuse(
    'no_match',
    `its lines are at L${place.line} of ${shown}, not below ${JSON.stringify(`@@ ${place.header}`)} (L${place.headerLine}). Name the line that encloses them.`,
  );
}

/** Refuses a hunk with a header that is no line of the file. */
export function absentHeader(shown: string, header: string): Refusal {
  return refuse(
    'no_match',
    `${JSON.stringify(`@@ ${header}`)} is no line of ${shown}. Copy the line from the file, or leave it out.`,
  );
}

/** Refuses lines to add, at `line` (1-based), without any line of the file around them, in a file of `count` lines. */
export function bareInsertion(shown: string, line: number, count: number): Refusal {
  return refuse(
    'no_match',
    `it adds lines at L${line} with no line of the file around them, and ${shown} has ${count} ${count === 1 ? 'line' : 'lines'}. Give the lines above and below.`,
  );
}

/** Refuses a hunk whose context is not the file's right where lines come: they might not fit there. */
export function otherLines(shown: string): Refusal {
  return refuse(
    'no_match',
    `its kept and - lines differ from ${shown} where its + lines come, so these could not be written as they are. Read the place, and send the hunk anew.`,
  );
}
