/** Marks by which a writer leaves code out: `// ... existing code ...`, `# ... rest unchanged ...`. */

const DOTS = String.raw`(?:\.\.\.|…)`;
const WORDS =
  '(?:existing|rest|remaining|remainder|unchanged|same|previous|other|omitted|elided|keep|code|methods?|implementation)';
const OPENS = String.raw`(?:\/\/|#|--|\/\*|<!--|\{\/\*|;|%|\*)`;
const SAID = String.raw`[([]?[^\r\n.…]*\b${WORDS}\b[^\r\n]*`;
/** A whole line: a comment, or dots and a blank, with words that tell what is left out. */
const WORDED = new RegExp(
  String.raw`^\s*(?:${OPENS}[^\S\r\n]*${DOTS}[^\S\r\n]*${SAID}|${DOTS}[^\S\r\n]+${SAID}|${OPENS}[^\S\r\n]*${SAID}${DOTS}[^\r\n]*)$`,
  'i',
);
/** A whole line: dots in a comment, or dots alone. */
const BARE = new RegExp(String.raw`^\s*(?:(?:\/\/|#|--|\/\*|<!--|\{\/\*)\s*)?${DOTS}\s*(?:\*\/\}?|-->)?\s*$`);

/** No mark is longer. */
const MAX_LINE = 500;

const isWorded = (line: string): boolean => line.length <= MAX_LINE && WORDED.test(line);

/** Whether a line is nothing but a mark that code was left out. */
export function isElision(line: string): boolean {
  return isWorded(line) || (line.length <= MAX_LINE && BARE.test(line));
}

/** The first line of new_string that says in words that code was left out and that is in neither of the others. */
export function addedElision(newString: string, oldString: string, text: string): string | undefined {
  const lines = newString
    .split(/\r\n|\r|\n/)
    .filter(isWorded)
    .map((line) => line.trim());
  return lines.find((line) => !oldString.includes(line) && !text.includes(line));
}
