import { refuse } from '../broker/refusal.ts';
import type { PageRequest, TextPage } from '../workspace/text-page.ts';
import { count, plural, size, TEXT_LIMITS } from '../workspace/truncation.ts';
import type { Answer, Facts } from './answer.ts';
import type { NamedPath } from './named-path.ts';
import type { ToolResult } from './tool.ts';

/** What is worth saying of a text file beside its lines. */
interface PageOrigin {
  readonly notes: readonly (string | undefined)[];
  /** Where it is not UTF-8. */
  readonly encoding?: string;
  /** Bytes, where the lines were not counted to the end. */
  readonly size?: number;
}

/** The lines with their numbers, `12→text`, and below them what is not shown: nothing where all is. */
export function pageText(page: TextPage, origin: PageOrigin): string {
  const lines = page.lines.map((line, index) => `${page.first + index}→${line}`);
  return [...origin.notes, ...lines, footerOf(page, origin)].filter((line) => line !== undefined).join('\n');
}

/** What a receipt says of a page of a text that is `bytes()` of UTF-8 long. */
export function pageFacts(page: TextPage, request: PageRequest, bytes: () => number): Facts {
  return {
    complete: page.next === undefined && page.first === 1 && page.cutLines === 0,
    ...(isCutByTool(page, request) && { left_out: Math.max(0, bytes() - Buffer.byteLength(page.lines.join('\n'))) }),
    ...(page.total === undefined ? {} : { total: page.total }),
    ...(page.next === undefined ? {} : { next_offset: page.next }),
  };
}

/** On the first page alone: what it leaves out is the rest of the file, whose later pages leave out no more. */
function isCutByTool(page: TextPage, request: PageRequest): boolean {
  if (page.first > 1) return false;
  if (page.next === undefined) return page.cutLines > 0;
  return page.lines.length < request.limit || request.limit >= TEXT_LIMITS.lines;
}

/** The answer where the asked page begins behind the last line. */
export function pastTheEnd(
  place: NamedPath,
  request: PageRequest,
  page: TextPage,
  answer: Answer,
): Promise<ToolResult> {
  const total = place.stat.kind === 'directory' ? entriesOf(page.total ?? 0) : plural(page.total ?? 0, 'line');
  return answer.refused(
    refuse('invalid_arguments', `offset ${request.first} is past the end: ${place.shown} has ${total}.`),
  );
}

/** `1 entry`, `1,204 entries`. */
export function entriesOf(total: number): string {
  return `${count(total)} ${total === 1 ? 'entry' : 'entries'}`;
}

/** `(lines 1-2000 of 9120; next offset 2001)`. */
function footerOf(page: TextPage, origin: PageOrigin): string | undefined {
  const parts: string[] = [];
  const last = page.first + page.lines.length - 1;
  if (page.first > 1 || page.next !== undefined) {
    const whole = page.total === undefined ? `a file of ${size(origin.size ?? 0)}` : `${page.total}`;
    parts.push(`lines ${page.first}-${last} of ${whole}`);
  }
  if (page.openLine) parts.push(`line ${last} was not read to its end; next offset ${page.next}, if there is a line`);
  else if (page.next !== undefined) parts.push(`next offset ${page.next}`);
  if (page.cutLines > 0) parts.push(`${plural(page.cutLines, 'line')} cut: Grep shows other parts of them`);
  if (origin.encoding !== undefined) parts.push(origin.encoding);
  return parts.length === 0 ? undefined : `(${parts.join('; ')})`;
}
