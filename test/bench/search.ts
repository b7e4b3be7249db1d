import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { createSession } from '../../src/broker/session.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { globTool } from '../../src/tools/glob.ts';
import { grepTool } from '../../src/tools/grep.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { LOOK_BUDGETS } from '../../src/workspace/look-budgets.ts';
import { fileFilter } from '../../src/workspace/search/file-filter.ts';
import { filterArgs, grepArgs, WALK_ARGS } from '../../src/workspace/search/search-request.ts';
import { openToolRoom } from '../support/tool-room.ts';
import { type BenchRow, elapsed, ratioRow, sideBySide } from './bench-row.ts';

const FOLDERS = 1000;
const FILES_IN_FOLDER = 100;
const ROUNDS = 7;
const INPUTS = `${FOLDERS * FILES_IN_FOLDER} files in ${FOLDERS} folders, warm`;

/** Grep and Glob on 100,000 files beside bare ripgrep with the same flags and the same order. */
export async function benchSearch(): Promise<readonly BenchRow[]> {
  const folder = makeTree();
  const room = await openToolRoom({}, () => ({ root: folder }));
  // The budgets of a real run, not those of a test.
  const session = createSession({ ...room.root, looks: LOOK_BUDGETS }, 'bench');
  const call = (tool: Tool, args: unknown) =>
    elapsed(() => callTool([tool], { name: tool.name, args: args as object }, { session }));
  const rows: BenchRow[] = [];
  const compare = async (figure: string, most: number, ours: () => Promise<number>, bare: () => Promise<number>) => {
    await ours();
    await bare();
    rows.push(ratioRow({ figure, inputs: INPUTS, ...(await sideBySide(ROUNDS, ours, bare)), most }));
  };
  try {
    const greps = [
      ['Grep, 20 files match', { pattern: 'rare_word' }],
      ['Grep, 200 lines match, content', { pattern: 'some_word', output_mode: 'content' }],
      ['Grep, 100 lines match, glob', { pattern: 'some_word', output_mode: 'content', glob: '*.ts' }],
      ['Grep, nothing matches', { pattern: 'no_such_word' }],
    ] as const;
    for (const [figure, args] of greps) {
      await compare(
        figure,
        1.15,
        () => call(grepTool, args),
        () => bareGrep(folder, args),
      );
    }
    const globs = [
      ['Glob, half of all match', '**/*.ts'],
      ['Glob, 100 match', '**/file7.ts'],
    ] as const;
    for (const [figure, pattern] of globs) {
      await compare(
        figure,
        1.15,
        () => call(globTool, { pattern }),
        () => bareGlob(folder, pattern),
      );
    }
    const everywhere = { pattern: 'const', output_mode: 'content', head_limit: 100 } as const;
    await compare(
      'Grep, first 100 hits of what is everywhere, beside a full scan',
      0.1,
      () => call(grepTool, everywhere),
      () => bareGrep(folder, everywhere),
    );
    return rows;
  } finally {
    await room.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function bareGrep(
  folder: string,
  args: { readonly pattern: string; readonly output_mode?: 'content'; readonly glob?: string },
): Promise<number> {
  const request = {
    pattern: args.pattern,
    place: { folder, target: './' },
    filter: fileFilter(args.glob === undefined ? [] : [args.glob]),
    mode: args.output_mode ?? 'files_with_matches',
    before: 0,
    after: 0,
    switches: new Set<never>(),
    limit: 0,
    offset: 0,
    maxBytes: 0,
    budgetMs: 0,
  } as const;
  return elapsed(() => ripgrep(folder, [...grepArgs(request, undefined), '--', './']));
}

function bareGlob(folder: string, pattern: string): Promise<number> {
  const filter = filterArgs(fileFilter([pattern]), { isIgnoreOff: false, ignoreFile: undefined });
  return elapsed(() => ripgrep(folder, [...WALK_ARGS, '--files', '--null', ...filter, '--sortr=modified', '--', './']));
}

/** The whole answer, read and thrown away. */
function ripgrep(cwd: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}

function makeTree(): string {
  const root = mkdtempSync(join(tmpdir(), 'emend-bench-'));
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(root, `area${folder % 20}`, `part${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_IN_FOLDER; file++) {
      const number = folder * FILES_IN_FOLDER + file;
      const name = join(path, `file${file}.${file % 2 === 0 ? 'js' : 'ts'}`);
      writeFileSync(name, contentOf(number));
      const time = 1_700_000_000 + ((number * 7919) % 1_000_000);
      utimesSync(name, time, time);
    }
  }
  return root;
}

function contentOf(number: number): string {
  const lines = [`export const value${number} = ${number};`];
  for (let line = 0; line < 12; line++)
    lines.push(`  // line ${line} of a file like many others, with a few words in it`);
  // Odd, so that the files are .ts as well as .js
  if (number % 501 === 0) lines.push('some_word');
  if (number % 5001 === 0) lines.push('rare_word');
  return `${lines.join('\n')}\n`;
}
