import { join } from 'node:path';
import type { GrepFindings } from '../workspace/search/grep.ts';
import type { GrepLine } from '../workspace/search/grep-collector.ts';
import type { FilesSeen } from '../workspace/search/other-forms.ts';
import type { GrepMode, GrepRequest } from '../workspace/search/search-request.ts';
import { count, cutLine, plural, size } from '../workspace/truncation.ts';
import type { Facts } from './answer.ts';
import { shownPath } from './named-path.ts';
import type { HeldSymbols } from './navigation/held-symbols.ts';
import { kernelNote, type NamedPlace, SEARCH_BUDGET_MS } from './search-ports.ts';

/** How a search is shown. */
interface GrepView {
  readonly root: string;
  readonly place: NamedPlace;
  readonly pattern: string;
  readonly mode: GrepMode;
  readonly offset: number;
  readonly hasNumbers: boolean;
  /** Places that were not searched, in words. */
  readonly leftOut: readonly string[];
  /** The filters in words; `` where there are none. */
  readonly filter: string;
  /** Names what a match lies in, where that is known. */
  readonly holderOf?: HeldSymbols;
}

/** What was found, and below it whether that is all. */
export function grepText(findings: GrepFindings, view: GrepView): string {
  const files = findings.files.flatMap((file, index) => {
    const path = shownPath(view.root, join(view.place.folder, file.path));
    if (view.mode === 'files_with_matches') return [path];
    if (view.mode === 'count') return [`${path}:${file.matchedLines}`];
    const remark = holderRemarks(join(view.place.folder, file.path), view);
    return [
      ...(index > 0 ? [''] : []),
      path,
      ...file.lines.flatMap((line, at) => rows([line, file.lines[at - 1]], view, remark)),
    ];
  });
  return [...files, footerOf(findings, view)].join('\n');
}

/** What a receipt says of a search. */
export function grepFacts(findings: GrepFindings, request: Pick<GrepRequest, 'offset'>): Facts {
  const reasons = [
    ...(findings.isCut || findings.isContextCut ? ['limit'] : []),
    ...(findings.scan === 'budget' ? ['budget'] : []),
    ...(findings.complaints.unreadableCount > 0 ? ['unreadable'] : []),
    ...(findings.stoppedAt.length > 0 ? ['binary'] : []),
    ...(findings.complaints.isExhausted ? ['exhausted'] : []),
    ...(findings.complaints.other === undefined ? [] : ['error']),
    ...(hasOtherEncodings(findings) ? ['encoding'] : []),
  ];
  return {
    complete: reasons.length === 0,
    ...(reasons.length === 0 ? {} : { why: reasons.join(', ') }),
    ...(findings.scan === 'whole' ? { total: findings.seen.units } : {}),
    ...(findings.isCut ? { next_offset: request.offset + findings.shown } : {}),
  };
}

/** `  (in Class/method)` behind the first of the matches that follow each other in it. */
function holderRemarks(path: string, { holderOf }: GrepView): (line: GrepLine) => string {
  let last: string | undefined;
  return ({ number, text, isMatch, clip }) => {
    if (!holderOf || !isMatch || clip) return '';
    const holder = holderOf(path, number - 1, text);
    if (holder === last) return '';
    last = holder;
    return holder === undefined ? '' : `  (in ${holder})`;
  };
}

function rows(
  [line, before]: readonly [GrepLine, GrepLine | undefined],
  view: GrepView,
  remark: (line: GrepLine) => string,
): readonly string[] {
  const number = view.hasNumbers ? `${line.number}${line.isMatch ? ':' : '-'}` : '';
  const isApart = before !== undefined && !(before.isMatch && line.isMatch) && line.number > before.number + 1;
  return [...(isApart ? ['--'] : []), `${number}${line.text}${clipMark(line)}${remark(line)}`];
}

/** Where in a long line the shown stretch is. */
function clipMark({ clip, isMatch }: GrepLine): string {
  switch (clip?.unit) {
    case 'character':
      return isMatch
        ? ` [column ${count(clip.column)} of ${count(clip.length)}]`
        : ` [${count(clip.length)} characters]`;
    case 'byte':
      return isMatch ? ` [byte ${count(clip.column)} of ${size(clip.length)}]` : ` [${size(clip.length)}]`;
    case undefined:
      return '';
  }
}

function footerOf(findings: GrepFindings, view: GrepView): string {
  const parts = [
    findings.shown === 0 ? noneText(findings, view) : shownText(findings, view),
    ...incomplete(findings, view),
  ];
  if (findings.isContextCut) parts.push('lines in and around matches were left out: Read shows them');
  parts.push(...view.leftOut, ...kernelNote(view.place.folder));
  if (findings.seen.units === 0 && findings.scan === 'whole') parts.push(...patternHints(findings, view.pattern));
  parts.push(...otherEncodingsText(findings, view));
  const { passedOver } = findings;
  if (passedOver) {
    const more = passedOver.isComplete ? '' : ' or more';
    if (passedOver.ignored > 0) parts.push(`${verb(passedOver.ignored, `ignored file`, more)}`);
    if (passedOver.binary > 0) parts.push(`${verb(passedOver.binary, `binary file`, more)}`);
    if (!passedOver.isComplete && passedOver.ignored === 0) parts.push('ignored files not looked into');
  }
  return `(${parts.join('; ')})`;
}

/** A pattern that finds this text; a long one is cut. */
export function literalPattern(text: string): string {
  return cutLine(text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'), MAX_SHOWN_PATTERN).text;
}

/** What a pattern that found nothing may have been written for. */
function patternHints({ otherForms }: GrepFindings, pattern: string): readonly string[] {
  const hints: string[] = [];
  const { asText, overLines } = otherForms ?? {};
  const inFiles = ({ files, isComplete }: FilesSeen) => `${plural(files, 'file')}${isComplete ? '' : ' or more'}`;
  if (asText && asText.files > 0) {
    hints.push(`as plain text it matches in ${inFiles(asText)}: ${literalPattern(pattern)}`);
  }
  if (overLines && overLines.files > 0) hints.push(`with multiline it matches in ${inFiles(overLines)}`);
  if (/(?<!\\)(?:\\\\)*\\\|/.test(pattern)) hints.push('\\| is the character |; for either of two write a|b');
  if (/^\/.+\/[a-z]*$/s.test(pattern)) hints.push('the / around the pattern were searched for too');
  if (/^(["'`]).+\1$/s.test(pattern)) hints.push('the quotes around the pattern were searched for too');
  return hints;
}

function hasOtherEncodings({ otherEncodings }: GrepFindings): boolean {
  return typeof otherEncodings === 'object' && otherEncodings.files.length > 0;
}

/** So much of a pattern is repeated in an answer, in UTF-16 units. */
export const MAX_SHOWN_PATTERN = 300;
const MAX_OTHER = 3;

/** Files that are in no encoding which was searched for are no proof of absence. */
function otherEncodingsText({ otherEncodings: others, seen }: GrepFindings, view: GrepView): readonly string[] {
  if (others === undefined) return [];
  const named = others === 'unknown' ? [] : others.files;
  if (others !== 'unknown' && named.length > 0) {
    const shown = named
      .slice(0, MAX_OTHER)
      .map(({ path, encoding }) => `${shownPath(view.root, join(view.place.folder, path))} (${encoding})`);
    const more = named.length > MAX_OTHER ? ` and ${plural(named.length - MAX_OTHER, 'more file')}` : '';
    return [`matches when read in another encoding: ${shown.join(', ')}${more}`];
  }
  if (seen.units > 0) return [];
  const isSure = others !== 'unknown' && others.isComplete;
  if (!isSure) return ['files are read as UTF-8, or UTF-16 with its mark, and as nothing else'];
  return /[\u0080-\uffff]/.test(view.pattern)
    ? ['files are read as UTF-8, UTF-16 or Latin-1, and as nothing else']
    : [];
}

function verb(files: number, noun: string, more: string): string {
  return `${count(files)}${more} ${noun}${files === 1 && more === '' ? '' : 's'} ${files === 1 && more === '' ? 'matches' : 'match'}`;
}

function noneText(findings: GrepFindings, view: GrepView): string {
  const { searched, seen } = findings;
  if (seen.units > 0) return `none after offset ${count(view.offset)}: ${count(seen.units)} in all`;
  if (searched === undefined) return 'none so far';
  if (view.place.target !== './') return `none in ${view.place.shown}`;
  if (searched === 0 && view.filter !== '') return `none: ${view.filter} selects no file`;
  return searched === 0 ? 'none: no file to search' : `none in ${plural(searched, 'file')}`;
}

/** `7 matches in 3 files`, `250 of 1,000 matches in 200 files; offset 250`, `250, more; offset 250`. */
function shownText(findings: GrepFindings, view: GrepView): string {
  const { seen, shown, scan, isCut } = findings;
  const next = isCut ? `; offset ${view.offset + shown}` : '';
  if (scan !== 'whole') return isCut ? `${count(shown)}, more${next}` : `${total(findings, view)} so far`;
  if (!isCut && view.offset === 0) return total(findings, view);
  const first = view.offset === 0 ? count(shown) : `${count(view.offset + 1)}-${count(view.offset + shown)}`;
  if (view.mode !== 'content') return `${first} of ${plural(seen.files, 'file')}${next}`;
  return `${first} of ${plural(seen.lines, 'match')} in ${plural(seen.files, 'file')}${next}`;
}

/** Counts lines; occurrences are said where they are more. */
function total({ seen }: GrepFindings, { mode }: GrepView): string {
  if (mode === 'files_with_matches') return plural(seen.files, 'file');
  const files = plural(seen.files, 'file');
  if (seen.matches <= seen.lines) return `${plural(seen.lines, 'match')} in ${files}`;
  return `${plural(seen.textLines, 'matching line')}, ${plural(seen.matches, 'match')} in ${files}`;
}

function incomplete({ scan, complaints, stoppedAt }: GrepFindings, { root, place }: GrepView): readonly string[] {
  const shown = (path: string) => shownPath(root, join(place.folder, path));
  const reasons: string[] = [];
  if (scan === 'budget') reasons.push(`stopped after ${SEARCH_BUDGET_MS / 1000} s, narrow path or glob`);
  if (complaints.unreadableCount > 0) {
    const named = complaints.unreadable.slice(0, 5).map(shown).join(', ');
    reasons.push(`${plural(complaints.unreadableCount, 'path')} unreadable: ${named}`);
  }
  for (const { path, offset } of stoppedAt.slice(0, 5)) {
    reasons.push(`${shown(path)} searched only to a NUL byte at ${size(offset)}`);
  }
  if (stoppedAt.length > 5) reasons.push(`${count(stoppedAt.length - 5)} more files likewise`);
  if (complaints.isExhausted) reasons.push('the machine had no room for another process or thread');
  if (complaints.other !== undefined) reasons.push(complaints.other);
  return reasons.length === 0 ? [] : [`incomplete: ${reasons.join('; ')}`];
}
