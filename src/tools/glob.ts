import { basename, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { type Refusal, refuse } from '../broker/refusal.ts';
import { fileFilter } from '../workspace/search/file-filter.ts';
import { type GlobFindings, type GlobRequest, glob } from '../workspace/search/glob.ts';
import { splitPattern } from '../workspace/search/glob-pattern.ts';
import { isReadOtherwise, meantGlobs, withLiteralBrackets } from '../workspace/search/meant-globs.ts';
import { count, cutLine, plural } from '../workspace/truncation.ts';
import { visibleName } from '../workspace/visible-text.ts';
import { beginAnswer, type Facts } from './answer.ts';
import { fromFolder, noneNote, withHint } from './glob-hints.ts';
import { shownPath } from './named-path.ts';
import { otherRootsNote } from './other-roots.ts';
import {
  findSearchPlace,
  kernelGlobs,
  kernelNote,
  SEARCH_BUDGET_MS,
  searchPorts,
  standsFolder,
  withoutDenied,
} from './search-ports.ts';
import { defineTool, type ToolCall } from './tool.ts';

/** So many paths are in an answer of Glob, at most. */
export const GLOB_LIMIT = 100;
/** UTF-16 units of a pattern that is told back. */
const MAX_SHOWN = 300;
/** Where nothing was found: how many names of other case are shown, and how long they are looked for. */
const MAX_HINTS = 3;
const HINT_BUDGET_MS = 1000;

/** Lists files by pattern, newest first. */
export const globTool = defineTool({
  name: 'Glob',
  description: 'List files by glob, newest first. Ignored files are left out unless no_ignore.',
  args: z.strictObject({
    pattern: z.string(),
    path: z.string().optional(),
    no_ignore: z.boolean().optional(),
  }),
  hints: { readOnlyHint: true },
  async run(args, call) {
    const answer = beginAnswer(call, 'Glob');
    const ready = await searchPorts(call);
    if (ready.status === 'refused') return answer.refused(ready);
    const wish = await readWish(args, call);
    if (wish.status === 'refused') return answer.refused(wish);
    const noted = (text: string): string => (wish.note === undefined ? text : `${wish.note}\n${text}`);
    const { root } = call.session.root;
    if (wish.status === 'file') {
      return answer.ok(noted(`${shownPath(root, wish.path)}\n(1 of 1)`), { complete: true, total: 1 });
    }

    const { folder } = wish;
    const out = [...call.session.root.confinement.deniedGlobs(folder), ...kernelGlobs(folder)];
    const request = {
      folder,
      filter: withoutDenied(fileFilter([...wish.globs, ...out]), folder, call),
      ignored: args.no_ignore ? ('in' as const) : ('out' as const),
      limit: GLOB_LIMIT,
      budgetMs: SEARCH_BUDGET_MS,
    };
    const again = (change: (glob: string) => string, links: Pick<GlobRequest, 'links'> = {}) => {
      const globs = wish.globs.map((one) => (one.startsWith('!') ? one : change(one)));
      const limits = { limit: MAX_HINTS, budgetMs: HINT_BUDGET_MS };
      const filter = withoutDenied(fileFilter([...globs, ...out]), folder, call);
      const look = { ...request, ...links, ...limits, filter };
      return glob(look, ready.ports, call.signal);
    };
    const findings = withNamed(await glob(request, ready.ports, call.signal), wish.named);
    const { complaints } = findings;
    if (complaints.glob !== undefined) {
      return answer.refused(
        refuse(
          'invalid_arguments',
          `the pattern ${cutLine(args.pattern, MAX_SHOWN).text} can't be read: ${cutLine(complaints.glob, MAX_SHOWN).text}.`,
        ),
      );
    }
    if (findings.total === 0 && complaints.other !== undefined) return answer.refused(refuse('io', complaints.other));
    const isNothing = findings.total === 0 && findings.scan === 'whole';
    const shown = (path: string) => shownPath(root, join(folder, path));
    const paths = findings.paths.map(shown);
    const extra = [
      ...otherRootsNote(call, isElsewhere(args.pattern) ? args.pattern : args.path),
      ...kernelNote(wish.folder),
      ...(isNothing ? await noneNote(args.pattern, { folder, again, call }) : []),
    ];
    return answer.ok(noted([...paths, footerOf(findings, shown, extra)].join('\n')), factsOf(findings));
  },
});

/** What is to be listed: files of a folder by globs, or one file that was named outright. */
type Wish =
  | { readonly status: 'file'; readonly path: string }
  | {
      readonly status: 'search';
      readonly folder: string;
      readonly globs: readonly string[];
      /** A file that was named outright and is listed even where it is ignored. */
      readonly named: string | undefined;
    };

interface GlobArgs {
  readonly pattern: string;
  readonly path?: string | undefined;
}

/** `note`: said where the folder has another name than it was called by. */
async function readWish(args: GlobArgs, call: ToolCall): Promise<(Wish & { readonly note?: string }) | Refusal> {
  if (args.pattern.trim() === '') return refuse('invalid_arguments', 'the pattern is empty. Give one such as **/*.ts.');
  const meant = meantGlobs(args.pattern);
  const literal = isReadOtherwise(args.pattern, meant) ? await literalFile(args, call) : undefined;
  if (literal !== undefined) return literal;
  if (meant.status === 'wrong') {
    return refuse(
      'invalid_arguments',
      `the pattern ${JSON.stringify(cutLine(args.pattern, MAX_SHOWN).text)} ${meant.message}.`,
    );
  }
  const patterns = meant.globs;
  const [pattern = ''] = patterns;
  const place = isElsewhere(pattern) ? undefined : await findSearchPlace(call, args.path);
  if (place?.status === 'refused') return place;
  if (place && place.target !== './') {
    return refuse('invalid_arguments', `${place.shown} is a file: path takes a folder. Grep searches in one file.`);
  }
  const wish = await wishIn(place?.folder ?? call.session.root.root, patterns, args, call);
  return wish.status === 'refused' || place?.note === undefined ? wish : { ...wish, note: place.note };
}

async function wishIn(
  from: string,
  patterns: readonly string[],
  args: GlobArgs,
  call: ToolCall,
): Promise<Wish | Refusal> {
  const [pattern = '', ...others] = patterns;
  if (others.length > 0 || pattern.startsWith('!')) {
    const globs = patterns.flatMap((glob) => withLiteralBrackets(fromFolder(allBeneath(glob), from)));
    return { status: 'search', folder: from, globs, named: undefined };
  }

  const { store, confinement } = call.session.root;
  const isFolder = (path: string) => standsFolder(store, join(from, path));
  const { base, rest } = await splitPattern(pattern, isFolder);
  const resolved = await confinement.resolve(isAbsolute(base) || base.startsWith('~') ? base : join(from, base));
  if (resolved.status === 'refused') return refuse(resolved.code, await withHint(resolved.message, pattern, call));
  const kind = resolved.stat?.kind;
  if (rest !== '') {
    if (kind === 'directory')
      return { status: 'search', folder: resolved.path, globs: withLiteralBrackets(rest), named: undefined };
    return refuse('not_found', await withHint(noFolder(resolved.shown, args.path), pattern, call));
  }
  if (kind === 'directory') return { status: 'search', folder: resolved.path, globs: ['**'], named: undefined };
  if (kind === 'file' && pattern.includes('/')) return { status: 'file', path: resolved.path };
  if (pattern.includes('/'))
    return { status: 'search', folder: from, globs: [fromFolder(pattern, from)], named: undefined };
  return {
    status: 'search',
    folder: from,
    globs: withLiteralBrackets(pattern),
    named: kind === 'file' ? basename(base) : undefined,
  };
}

/** The file that has exactly this name, blanks and marks and all. */
async function literalFile(args: GlobArgs, call: ToolCall) {
  const place = await findSearchPlace(call, args.path);
  if (place.status === 'refused' || place.target !== './') return undefined;
  const found = await call.session.root.confinement.resolve(join(place.folder, args.pattern));
  if (found.status === 'refused' || found.stat?.kind !== 'file') return undefined;
  return { status: 'file' as const, path: found.path, ...(place.note !== undefined && { note: place.note }) };
}

/** What ends with a slash is a folder: of what is wanted, all beneath it. */
function allBeneath(glob: string): string {
  return glob.endsWith('/') && !glob.startsWith('!') ? `${glob}**` : glob;
}

function isElsewhere(pattern: string): boolean {
  return isAbsolute(pattern) || pattern.startsWith('~');
}

function noFolder(shown: string, path: string | undefined): string {
  const where =
    path === undefined || path === ''
      ? `Look for it with **/${basename(shown)}/**.`
      : `The pattern is taken from path ${path}.`;
  return `${shown} is no folder. ${where}`;
}

function withNamed(findings: GlobFindings, named: string | undefined): GlobFindings {
  if (named === undefined || findings.paths.includes(named)) return findings;
  const { ignored } = findings;
  return {
    ...findings,
    paths: [named, ...findings.paths].slice(0, GLOB_LIMIT),
    total: findings.total + 1,
    ignored: ignored && { ...ignored, count: Math.max(0, ignored.count - 1) },
  };
}

/** `(2 of 2)`, `(100 of 1,001; narrow the pattern: build/ 1,000, target/ 1)`. */
function footerOf(findings: GlobFindings, shown: (path: string) => string, extra: readonly string[]): string {
  const { total, paths, ignored, complaints } = findings;
  const parts: string[] = [];
  if (findings.scan === 'unordered') {
    parts.push(`${count(paths.length)}, more`, `incomplete: stopped after ${SEARCH_BUDGET_MS / 1000} s, not in order`);
  } else if (total === 0) parts.push('none');
  else parts.push(`${count(paths.length)} of ${count(total)}`);
  if (paths.length < total) parts.push(`narrow the pattern${shapeOf(findings)}`);
  if (ignored && ignored.count > 0) {
    const more = ignored.isComplete ? '' : ' or more';
    const verb = ignored.count === 1 ? 'matches' : 'match';
    parts.push(`${count(ignored.count)}${more} ignored ${ignored.count === 1 ? 'path' : 'paths'} also ${verb}`);
  } else if (ignored && !ignored.isComplete) parts.push('ignored files not looked into');
  if (complaints.unreadableCount > 0) {
    const named = complaints.unreadable.map(shown).join(', ');
    parts.push(`incomplete: ${plural(complaints.unreadableCount, 'path')} unreadable: ${named}`);
  }
  if (complaints.other !== undefined) parts.push(`incomplete: ${complaints.other}`);
  return `(${[...parts, ...extra].join('; ')})`;
}

const MAX_FOLDERS = 8;

/** How many files lie where, so that what the cut left out is not lost without a trace. */
function shapeOf(findings: GlobFindings): string {
  const { folders } = findings;
  if (folders.length < 2) return '';
  const named = folders.slice(0, MAX_FOLDERS).map(({ folder, files }) => `${visibleName(folder)} ${count(files)}`);
  const left = folders.length - named.length;
  return `: ${named.join(', ')}${left > 0 ? ` and ${plural(left, 'more folder')}` : ''}`;
}

function factsOf(findings: GlobFindings): Facts {
  const isUnreadable = findings.complaints.unreadableCount > 0 || findings.complaints.other !== undefined;
  const complete = findings.scan === 'whole' && !isUnreadable && findings.paths.length === findings.total;
  const why = findings.scan === 'whole' ? (isUnreadable ? 'unreadable' : 'limit') : 'budget';
  return { complete, total: findings.total, ...(complete ? {} : { why }) };
}
