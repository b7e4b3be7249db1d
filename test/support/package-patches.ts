import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type StructuredPatchHunk, structuredPatch } from 'diff';
import { parsePatchText } from '../../src/broker/patch/parse-patch.ts';
import { planHunks } from '../../src/broker/patch/plan-hunks.ts';
import { applySpanEdits } from '../../src/workspace/span.ts';

/** One file in two versions of its package. */
export interface VersionedFile {
  readonly path: string;
  readonly old: string;
  readonly new: string;
}

/** A patch made from some hunks of the difference, and what the file is to be after it. */
export interface PackagePatch {
  readonly path: string;
  readonly language: 'v4a' | 'unified';
  readonly before: string;
  readonly after: string;
  readonly input: string;
  /** `none`, or what was done to the lines that stay. */
  readonly drift: Drift;
}

export const DRIFTS = [
  'none',
  'line-ends',
  'lost-indentation',
  'tabs',
  'curly-quotes',
  'tight',
  'blank-line',
  'misspelt',
  'moved',
] as const;
export type Drift = (typeof DRIFTS)[number];

const SOURCE = /\.(?:[cm]?[jt]s|md|json)$/;
const MAX_BYTES = 400_000;

/** The files that differ between two folders, each small enough to be written by someone. */
export function versionedFiles(older: string, newer: string): readonly VersionedFile[] {
  const names = readdirSync(older, { recursive: true, encoding: 'utf8' }).filter((name) => SOURCE.test(name));
  return names.flatMap((name) => {
    const [from, to] = [join(older, name), join(newer, name)];
    if (!statSync(to, { throwIfNoEntry: false })?.isFile() || statSync(from).size > MAX_BYTES) return [];
    const [before, after] = [readFileSync(from, 'utf8'), readFileSync(to, 'utf8')];
    const isSource = !before.includes('\r') && !/[^\n]{400}/.test(before + after);
    const isComparable = before !== after && before.endsWith('\n') && after.endsWith('\n');
    return isSource && isComparable ? [{ path: name, old: before, new: after }] : [];
  });
}

/** A random patch of a file in one of the two languages; `undefined` where the drift asked for can't be had. */
export function packagePatch(
  file: VersionedFile,
  language: 'v4a' | 'unified',
  how: { readonly drift: Drift; readonly random: () => number },
): PackagePatch | undefined {
  const all = structuredPatch(file.path, file.path, file.old, file.new, '', '', { context: 3 }).hunks;
  const from = Math.floor(how.random() * all.length);
  const hunks = all.slice(from, from + 1 + Math.floor(how.random() * 3));
  const oldLines = file.old.split('\n');
  // One step of the file's indentation, which a model that writes tabs makes one tab.
  const unit = Math.min(...oldLines.map(depthOf).filter((depth) => depth > 1), 8);
  const told = hunks.map((hunk) => ({ hunk, headers: language === 'v4a' ? headersFor(oldLines, hunk) : [] }));
  if (told.length === 0 || told.some(({ headers }) => headers === undefined)) return undefined;
  const drifted = told.map(({ hunk, headers }) => ({
    headers: headers ?? [],
    hunk,
    lines: driftLines(hunk.lines, { ...how, unit }),
  }));
  if (drifted.some(({ lines }) => lines === undefined)) return undefined;
  const shift = how.drift === 'moved' ? 5 + Math.floor(how.random() * 20) : 0;
  const parts = drifted.map(({ hunk, headers, lines = [] }) => {
    const numbers = `@@ -${hunk.oldStart + shift},${hunk.oldLines} +${hunk.newStart + shift},${hunk.newLines} @@`;
    return [...(language === 'v4a' ? (headers.length > 0 ? headers : ['@@']) : [numbers]), ...lines].join('\n');
  });
  const body = parts.join('\n');
  const input =
    language === 'v4a'
      ? `*** Begin Patch\n*** Update File: ${file.path}\n${body}\n*** End Patch`
      : `--- a/${file.path}\n+++ b/${file.path}\n${body}\n`;
  return { path: file.path, language, before: file.old, after: applied(file.old, hunks), input, drift: how.drift };
}

/** The hunks made, line by line: the oracle, which knows nothing of what is tested. */
function applied(text: string, hunks: readonly StructuredPatchHunk[]): string {
  const lines = text.split('\n');
  for (const hunk of [...hunks].reverse()) {
    const kept = hunk.lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
    lines.splice(hunk.oldStart - 1, hunk.oldLines, ...kept);
  }
  return lines.join('\n');
}

/** `@@` lines where three lines of context fit several places: what encloses them; `undefined`: that is not enough. */
function headersFor(lines: readonly string[], hunk: StructuredPatchHunk): readonly string[] | undefined {
  const old = hunk.lines.filter((line) => line.startsWith(' ') || line.startsWith('-')).map((line) => line.slice(1));
  const at = hunk.oldStart - 1;
  const places = lines.flatMap((_, line) => (old.every((each, index) => lines[line + index] === each) ? [line] : []));
  if (places.length === 1) return [];
  const headers: string[] = [];
  let depth = Math.min(...old.filter((line) => line.trim() !== '').map(depthOf));
  for (let line = at - 1; line >= 0 && depth > 0; line -= 1) {
    const text = lines[line] ?? '';
    if (text.trim() === '' || depthOf(text) >= depth) continue;
    depth = depthOf(text);
    headers.unshift(text);
  }
  const [outer] = headers;
  if (outer === undefined || lines.filter((line) => line === outer).length !== 1) return undefined;
  const isInside = (place: number): boolean => {
    const start = lines.indexOf(outer);
    const end = lines.findIndex(
      (line, index) => index > start && line.trim() !== '' && depthOf(line) <= depthOf(outer),
    );
    return place > start && (end < 0 || place < end);
  };
  return places.filter(isInside).length === 1 ? [`@@ ${outer}`] : undefined;
}

const depthOf = (line: string): number => line.length - line.trimStart().length;

/** What a model does to lines that it does not mean to change; with indentation, to all of them. */
function driftLines(
  lines: readonly string[],
  { drift, random, unit }: { readonly drift: Drift; readonly random: () => number; readonly unit: number },
): readonly string[] | undefined {
  const kept = lines.flatMap((line, index) => (line.startsWith(' ') && line.trim() !== '' ? [index] : []));
  const one = kept[Math.floor(random() * kept.length)];
  const change = (index: number | undefined, to: (text: string) => string): readonly string[] | undefined => {
    const text = index === undefined ? undefined : lines[index]?.slice(1);
    if (index === undefined || text === undefined || to(text) === text) return undefined;
    return lines.map((line, at) => (at === index ? ` ${to(text)}` : line));
  };
  const first = (pattern: RegExp): number | undefined => kept.find((index) => pattern.test(lines[index] ?? ''));
  switch (drift) {
    case 'none':
    case 'moved':
      return lines;
    case 'line-ends':
      return change(one, (text) => `${text}  `);
    case 'lost-indentation': {
      const depths = lines.filter((line) => line.slice(1).trim() !== '').map((line) => depthOf(line.slice(1)));
      const lost = Math.min(...depths);
      if (lost === 0 || lines.some((line) => line.includes('\t'))) return undefined;
      return lines.map((line) => line.charAt(0) + line.slice(1 + Math.min(lost, depthOf(line.slice(1)))));
    }
    case 'tabs': {
      const depths = lines.map((line) => depthOf(line.slice(1)));
      if (lines.some((line) => line.includes('\t')) || depths.every((depth) => depth === 0)) return undefined;
      if (depths.some((depth) => depth % unit !== 0)) return undefined;
      return lines.map(
        (line) => line.charAt(0) + line.slice(1).replace(/^ +/, (blanks) => '\t'.repeat(blanks.length / unit)),
      );
    }
    case 'curly-quotes':
      return change(first(/["']/), (text) => text.replace(/"([^"]*)"/, '\u201c$1\u201d').replace(/'/, '\u2019'));
    case 'tight':
      return change(first(/[,;:=(){}] \S/), (text) => text.replace(/([,;:(){}]) (?=\S)/, '$1'));
    case 'blank-line': {
      const after = kept.find((index) => index + 1 < lines.length && lines[index + 1]?.startsWith(' '));
      return after === undefined ? undefined : [...lines.slice(0, after + 1), ' ', ...lines.slice(after + 1)];
    }
    case 'misspelt':
      return change(first(/[a-z]{7}/), (text) => text.replace(/([a-z]{3})([a-z])([a-z])([a-z]{2})/, '$1$3$2$4'));
  }
}

/** What became of many patches. */
export interface PatchTally {
  readonly rows: Record<string, { applied: number; refused: number }>;
  readonly damaged: PackagePatch[];
  /** A few refused ones, to look at. */
  readonly refusals: { readonly patch: PackagePatch; readonly message: string }[];
}

/** Makes so many random patches, half of them drifted, and sees what becomes of each. */
export async function tallyPatches(
  files: readonly VersionedFile[],
  count: number,
  random: () => number,
): Promise<PatchTally> {
  const tally: PatchTally = { rows: {}, damaged: [], refusals: [] };
  for (let made = 0; made < count; ) {
    const file = files[Math.floor(random() * files.length)];
    const drift = random() < 0.5 ? 'none' : DRIFTS[1 + Math.floor(random() * (DRIFTS.length - 1))];
    const language = random() < 0.5 ? 'v4a' : 'unified';
    if (!file || !drift || (drift === 'moved' && language === 'v4a')) continue;
    const patch = packagePatch(file, language, { drift, random });
    if (!patch) continue;
    made += 1;
    const row = tally.rows[`${language} ${drift}`] ?? { applied: 0, refused: 0 };
    tally.rows[`${language} ${drift}`] = row;
    const result = await make(patch);
    if (typeof result !== 'string') {
      row.refused += 1;
      tally.refusals.push({ patch, message: result.message });
    } else if (result === patch.after) row.applied += 1;
    else tally.damaged.push(patch);
  }
  return tally;
}

async function make(patch: PackagePatch): Promise<string | { readonly message: string }> {
  const parsed = parsePatchText(patch.input);
  if (parsed.status === 'wrong') return parsed;
  const [part] = parsed.files;
  if (part?.op !== 'update') return { message: 'read as something else' };
  const plan = await planHunks({ shown: patch.path, text: patch.before }, part.hunks);
  return plan.status === 'refused' ? plan : applySpanEdits(patch.before, plan.edits);
}

/** Rates of a tally, undrifted and drifted. */
export function ratesOf({ rows }: PatchTally): {
  readonly undrifted: number;
  readonly drifted: number;
  readonly count: number;
} {
  const rate = (isMeant: (drift: string) => boolean): number => {
    const meant = Object.entries(rows).filter(([name]) => isMeant(name.split(' ')[1] ?? ''));
    const applied = meant.reduce((sum, [, row]) => sum + row.applied, 0);
    return applied / meant.reduce((sum, [, row]) => sum + row.applied + row.refused, 0);
  };
  const count = Object.values(rows).reduce((sum, row) => sum + row.applied + row.refused, 0);
  return { undrifted: rate((drift) => drift === 'none'), drifted: rate((drift) => drift !== 'none'), count };
}
