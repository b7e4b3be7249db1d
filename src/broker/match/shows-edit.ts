import type { Span } from '../../workspace/span.ts';
import type { Strings } from './variants.ts';

/**
 * Whether new_string, found at a place of the text, shows that the edit was made already. What an edit brings shows it;
 * what an edit only leaves does not, unless both sides of all that it takes away stand next to each other there: that
 * lines are absent is no evidence that they ever were there.
 */
export function showsEdit(text: string, at: Span, { oldString, newString }: Strings): boolean {
  const [old, now] = [linesOf(oldString), linesOf(newString)];
  if (isRunOf(now, old)) return false;
  const [before, after] = [oldString.trim(), newString.trim()];
  // The end of a line went: what is left must be all of the line.
  if (before.startsWith(after))
    return !hasLine(before.slice(after.length)) && /^[ \t]*(?:[\r\n]|$)/.test(text.slice(at.end));
  if (before.endsWith(after))
    return !hasLine(before.slice(0, -after.length)) && /(?:^|[\r\n])[ \t]*$/.test(text.slice(0, at.start));
  if (!isSubsequence(now, old)) return true;
  return now[0] === old[0] && now.at(-1) === old.at(-1);
}

function linesOf(part: string): readonly string[] {
  return part
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const hasLine = (part: string): boolean => /[\r\n]/.test(part);

/** Whether lines are the first or the last of others. */
function isRunOf(part: readonly string[], whole: readonly string[]): boolean {
  const offset = whole.length - part.length;
  if (offset < 0) return false;
  return (
    part.every((line, index) => whole[index] === line) || part.every((line, index) => whole[index + offset] === line)
  );
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let found = 0;
  for (const line of whole) if (line === part[found]) found += 1;
  return found === part.length;
}
