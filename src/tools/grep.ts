import { isAbsolute, join, relative } from 'node:path';
import * as z from 'zod';
import { type Refusal, refuse } from '../broker/refusal.ts';
import { type FileFilter, fileFilter } from '../workspace/search/file-filter.ts';
import { readFileTypes, withExtension } from '../workspace/search/file-types.ts';
import { hasWildcard, splitPattern } from '../workspace/search/glob-pattern.ts';
import { type GrepFindings, grep } from '../workspace/search/grep.ts';
import { isReadOtherwise, literalGlob, meantGlobs, withLiteralBrackets } from '../workspace/search/meant-globs.ts';
import type { GrepRequest } from '../workspace/search/search-request.ts';
import { count, cutLine, TEXT_LIMITS } from '../workspace/truncation.ts';
import { beginAnswer } from './answer.ts';
import { grepFacts, grepText, literalPattern, MAX_SHOWN_PATTERN } from './grep-text.ts';
import { heldSymbols } from './navigation/held-symbols.ts';
import { otherRootsNote } from './other-roots.ts';
import {
  findSearchPlace,
  kernelGlobs,
  type NamedPlace,
  SEARCH_BUDGET_MS,
  searchPorts,
  standsFile,
  standsFolder,
  withoutDenied,
} from './search-ports.ts';
import { defineTool, type ToolCall } from './tool.ts';

/** So many lines or files are in an answer of Grep where the caller names no number. */
export const HEAD_LIMIT = 250;

/** Each type that ripgrep does not know is a search more. */
const MAX_TYPES = 50;

/** Searches the text of files. */
export const grepTool = defineTool({
  name: 'Grep',
  description: 'Search file contents by regex (ripgrep). Ignored files are left out unless no_ignore.',
  args: z.strictObject({
    pattern: z.string(),
    path: z.string().optional(),
    glob: z.string().optional(),
    type: z.string().optional(),
    output_mode: z.enum(['files_with_matches', 'content', 'count']).optional(),
    '-A': z.number().optional(),
    '-B': z.number().optional(),
    '-C': z.number().optional(),
    '-i': z.boolean().optional(),
    '-n': z.boolean().optional(),
    multiline: z.boolean().optional(),
    no_ignore: z.boolean().optional(),
    head_limit: z.number().optional(),
    offset: z.number().optional(),
  }),
  hints: { readOnlyHint: true },
  async run(args, call) {
    const answer = beginAnswer(call, 'Grep');
    if (args.pattern === '') {
      return answer.refused(refuse('invalid_arguments', 'the pattern is empty. Give a regular expression.'));
    }
    if (args.pattern.includes('\0')) {
      const why =
        'the pattern has a NUL character, which no text file holds. Leave it out, or look with Bash (grep -aP).';
      return answer.refused(refuse('invalid_arguments', why));
    }
    let types = readFileTypes(args.type ?? '');
    if (types && 'path' in types) {
      const why = `type ${shortened(types.path)} is a path: type takes file types such as ts. Put it into glob.`;
      return answer.refused(refuse('invalid_arguments', why));
    }
    if (types && types.names.length > MAX_TYPES) {
      const why = `type has ${count(types.names.length)} types. Give at most ${MAX_TYPES}, or a glob such as *.{ts,js}.`;
      return answer.refused(refuse('invalid_arguments', why));
    }
    const place = await findSearchPlace(call, args.path);
    if (place.status === 'refused') return answer.refused(place);
    const ready = await searchPorts(call, place.folder);
    if (ready.status === 'refused') return answer.refused(ready);
    const globs = await readGlobs(args.glob, place.folder, call);
    if (!Array.isArray(globs)) return answer.refused(globs);
    const denied = [...call.session.root.confinement.deniedGlobs(place.folder), ...kernelGlobs(place.folder)];

    const mode = args.output_mode ?? 'files_with_matches';
    const limit = args.head_limit ?? HEAD_LIMIT;
    const request: Omit<GrepRequest, 'filter' | 'budgetMs'> = {
      pattern: args.pattern,
      place,
      mode,
      before: lines(args['-B'] ?? args['-C']),
      after: lines(args['-A'] ?? args['-C']),
      switches: new Set([
        ...(args['-i'] ? (['ignore-case'] as const) : []),
        ...(args.multiline ? (['multiline'] as const) : []),
        ...(args.no_ignore ? (['no-ignore'] as const) : []),
      ]),
      // 0 is what other tools take for "no limit"; the bytes are limited all the same.
      limit: limit > 0 ? limit : Number.MAX_SAFE_INTEGER,
      offset: lines(args.offset),
      maxBytes: TEXT_LIMITS.bytes,
    };
    const { clock } = call.session.root;
    const until = clock.now() + SEARCH_BUDGET_MS;
    const search = (filter: FileFilter) => {
      const budgetMs = Math.max(1, until - clock.now());
      return grep(
        { ...request, budgetMs, filter: withoutDenied(filter, place.folder, call) },
        ready.ports,
        call.signal,
      );
    };
    let findings = await search(fileFilter([...globs, ...denied], types));
    // A type that ripgrep does not know is taken for an extension. It names them one at a time.
    while (types?.names.includes(findings.complaints.unknownType ?? '')) {
      types = withExtension(types, findings.complaints.unknownType ?? '');
      findings = await search(fileFilter([...globs, ...denied], types));
    }

    const failure = failureOf(findings, args.pattern, place);
    if (failure) return answer.refused(failure);
    const shown = {
      root: call.session.root.root,
      place,
      pattern: args.pattern,
      mode,
      offset: request.offset,
      hasNumbers: args['-n'] !== false,
      leftOut: otherRootsNote(call, args.path),
      ...(call.symbols === 'shown' && mode === 'content' && { holderOf: await heldSymbols(call) }),
      filter: [args.glob && `glob ${shortened(args.glob)}`, args.type?.trim() && `type ${shortened(args.type)}`]
        .filter(Boolean)
        .join(', '),
    };
    const text = grepText(findings, shown);
    return answer.ok(place.note === undefined ? text : `${place.note}\n${text}`, grepFacts(findings, request));
  },
});

/** What a caller wrote, told back to it. */
function shortened(text: string): string {
  return cutLine(text, MAX_SHOWN_PATTERN).text;
}

function lines(wish: number | undefined): number {
  return Math.max(0, Math.floor(wish ?? 0));
}

/** The globs as they are from the folder that is searched. */
async function readGlobs(text: string | undefined, folder: string, call: ToolCall): Promise<string[] | Refusal> {
  const globs: string[] = [];
  if (text === undefined || text.trim() === '') return globs;
  const { store } = call.session.root;
  const meant = meantGlobs(text);
  if (isReadOtherwise(text, meant) && (await standsFile(store, join(folder, text)))) {
    return [`/${literalGlob(text)}`];
  }
  if (meant.status === 'wrong')
    return refuse('invalid_arguments', `glob ${JSON.stringify(shortened(text))} ${meant.message}.`);
  const isFolder = (path: string) => standsFolder(store, join(folder, path));
  for (const glob of meant.globs) {
    const isUnwanted = glob.startsWith('!');
    const bare = glob.slice(isUnwanted ? 1 : 0).replace(/^\.\//, '');
    const plain = isAbsolute(bare) ? relative(folder, bare) : bare;
    const isPlaced = !plain.includes('/') && (isAbsolute(bare) || glob.replace(/^!/, '').startsWith('./'));
    if (plain.startsWith('..')) {
      const [first = ''] = bare.replace(/^\/+/, '').split('/');
      const isHere = isAbsolute(bare) && first !== '' && !hasWildcard(first) && (await isFolder(first));
      const how = isHere ? `Did you mean ${shortened(glob.replace('/', ''))}?` : 'Name that folder with path.';
      return refuse('invalid_arguments', `glob ${shortened(glob)} lies outside ${folder}. ${how}`);
    }
    const mark = isUnwanted ? '!' : '';
    if (/[[{]/.test(plain)) {
      const { base, rest } = await splitPattern(plain, isFolder);
      const start = base === '' ? (isPlaced ? '/' : '') : `${literalGlob(base)}${/^$|^\//.test(rest) ? '' : '/'}`;
      globs.push(...withLiteralBrackets(rest).map((end) => `${mark}${start}${end}`));
      if (base !== '' && rest === '') globs.push(`${mark}${start}/**`);
      continue;
    }
    const whole = plain.endsWith('/') ? `${plain}**` : plain;
    globs.push(`${mark}${isPlaced ? '/' : ''}${whole}`);
    // A folder named outright means what is in it.
    if (!isUnwanted && !hasWildcard(whole) && !/\.[^/]+$/.test(whole)) globs.push(`${whole}/**`);
  }
  return globs;
}

/** What kept ripgrep from searching at all; errors beside matches are told in the answer. */
function failureOf(findings: GrepFindings, pattern: string, place: NamedPlace): Refusal | undefined {
  const { complaints } = findings;
  if (complaints.pattern !== undefined) {
    const shown = shortened(pattern);
    const why = shortened(complaints.pattern);
    return refuse(
      'invalid_arguments',
      `the pattern ${shown} can't be read: ${why}. As plain text: ${literalPattern(pattern)}`,
    );
  }
  if (complaints.glob !== undefined) {
    return refuse(
      'invalid_arguments',
      `the glob can't be read: ${shortened(complaints.glob)}. Braces and * ? [] ** are understood.`,
    );
  }
  if (complaints.vanished > 0 && findings.seen.files === 0 && place.target !== './') {
    return refuse('not_found', `${place.shown}: it was there a moment ago, and is gone.`);
  }
  if (findings.seen.files > 0 || (findings.searched ?? 0) > 0 || findings.scan !== 'whole') return undefined;
  return complaints.other === undefined ? undefined : refuse('io', `${complaints.other}.`);
}
