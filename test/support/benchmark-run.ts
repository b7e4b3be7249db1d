import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSession, type SessionOptions } from '../../src/broker/session.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { defaultTools, optionalTools } from '../../src/tools/tools.ts';
import { rootStateFolder } from '../../src/workspace/local-state-folder.ts';
import { seeded } from './encoded-files.ts';

const TOOLS = [...defaultTools, ...optionalTools];

export interface BenchmarkRun {
  readonly calls: number;
  readonly seed: number;
  /** A real repository's folder, of which a copy is worked on. */
  readonly from: string;
  /** Where the journal goes, with its contents. */
  readonly to: string;
  /** Of all edits, the share that asks for a text that is not there. */
  readonly misses: number;
  /** Of all calls, the share that brings a type error into a file, or mends one. */
  readonly mistakes?: number;
  /** How long edits wait for language servers; 0: none is asked. */
  readonly diagnosticsMs: number;
  readonly snippet?: SessionOptions['snippet'];
  /** The files that are worked on; all sources by default. */
  readonly files?: readonly string[];
}

type Call = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly brings?: Mistake;
  readonly mends?: Mistake;
};

interface Mistake {
  readonly file: string;
  readonly line: string;
}

interface Mind {
  readonly random: () => number;
  readonly misses: number;
  readonly mistakes: number;
  readonly made: readonly Mistake[];
}

/** Calls of a model that is mostly right, on a copy of a real repository; its journal is kept. */
export async function benchmarkRun(run: BenchmarkRun): Promise<void> {
  const { calls, seed, from, to, misses, mistakes = 0, diagnosticsMs, snippet = 'tolerant' } = run;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-benchmark-')));
  cpSync(from, folder, { recursive: true });
  const files = run.files ?? sources(folder);
  const off = { file: 'benchmark-run', servers: { '*': 'off' } } as const;
  const root = await openRoot({ root: folder, ...(diagnosticsMs === 0 && { servers: [off] }) });
  const random = seeded(seed);
  // The helper does not wait for servers: what they say comes with a later call.
  const sessions = ['agent', 'helper'].map((id, index) =>
    createSession(root, id, { diagnosticsBudgetMs: index === 0 ? diagnosticsMs : Math.min(1, diagnosticsMs), snippet }),
  );
  const made: Mistake[] = [];
  let again: { readonly call: Call; readonly left: number } | undefined;
  for (let done = 0; done < calls; done += 1) {
    const call: Call = again?.call ?? nextCall(folder, files, { random, misses, mistakes, made });
    const session = sessions[again || random() < 0.85 ? 0 : 1];
    if (!session) throw new RangeError('there are two sessions');
    const { ok } = await callTool(TOOLS, { name: call.name, args: call.args }, { session });
    if (ok && call.brings) made.push(call.brings);
    // A server that still loads a large project would say nothing for most of a run.
    if (done === 0 && diagnosticsMs > 0) await root.diagnostics.settle('agent', 120_000);
    if (call.mends) made.splice(made.indexOf(call.mends), 1);
    // Models that are refused try the same again, now and then.
    const left = again ? again.left - 1 : random() < 0.3 ? 2 : 0;
    again = !ok && call.name === 'Edit' && left > 0 ? { call, left } : undefined;
  }
  await root.close();
  const state = rootStateFolder(folder);
  cpSync(join(state, 'journal.jsonl'), join(to, 'journal.jsonl'));
  cpSync(join(state, 'blobs'), join(to, 'blobs'), { recursive: true });
  rmSync(folder, { recursive: true });
  rmSync(state, { recursive: true });
}

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.(?:ts|py)$/.test(name) && !name.endsWith('.d.ts'))
    .sort();
}

function nextCall(folder: string, files: readonly string[], { random, misses, mistakes, made }: Mind): Call {
  const slips = mistakes > 0 && random() < mistakes;
  const mended = slips && random() < 0.5 ? made[Math.floor(random() * made.length)] : undefined;
  if (mended) {
    const edit = { old_string: mended.line, new_string: mended.line.replace("'text'", '1') };
    return { name: 'Edit', args: { file_path: mended.file, ...edit }, mends: mended };
  }
  // A few files are worked on more than the others.
  const file = files[Math.floor(random() ** 3 * Math.min(files.length, 40))] ?? 'none.ts';
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  const at = Math.floor(random() * Math.max(1, lines.length - 3));
  const three = lines.slice(at, at + 3);
  const tag = Math.floor(random() * 1e6).toString(36);
  if (slips) {
    const last = lines.slice(-4).join('\n');
    const line = `const wrong_${tag}: number = 'text';`;
    const edit = { old_string: last, new_string: `${last}${last.endsWith('\n') ? '' : '\n'}${line}\n` };
    return { name: 'Edit', args: { file_path: file, ...edit }, brings: { file, line } };
  }
  const [kind, how] = [random(), random()];
  if (kind < 0.2) return { name: 'Read', args: { file_path: file, offset: at + 1, limit: 60 } };
  if (kind < 0.26) return { name: 'Grep', args: { pattern: 'export (function|const)', output_mode: 'content' } };
  if (kind < 0.28) return { name: 'Read', args: { file_path: `${file}.gone` } };
  if (kind < 0.31) return { name: 'Bash', args: { command: `seq 1 ${how < 0.5 ? 40 : 40000}` } };
  if (kind < 0.34) return { name: 'Undo', args: {} };
  if (kind < 0.37) {
    // Someone else at work.
    writeFileSync(join(folder, file), `${lines.join('\n')}\n`);
    return { name: 'Read', args: { file_path: file, limit: 20 } };
  }
  if (kind < 0.41) {
    const content = how < 0.5 ? `export const n_${tag}: number = 1;\n` : `export const n_${tag}: number = 'text';\n`;
    return { name: 'Write', args: { file_path: `made-${Math.floor(how * 10)}.ts`, content } };
  }
  const old = how < misses ? `nothing like ${tag} is here` : drifted(three, random()).join('\n');
  const changed = `${old}\n${(old.split('\n').at(-1) ?? '').match(/^\s*/)?.[0] ?? ''}// ${tag}`;
  return { name: 'Edit', args: { file_path: file, old_string: old, new_string: changed } };
}

/** Lines as a model may remember them. */
function drifted(lines: readonly string[], how: number): readonly string[] {
  if (how < 0.1) return lines.map((line) => (line.trim() === '' ? line : `  ${line}`));
  if (how < 0.17) return lines.map((line) => line.replace(/(\S) = (\S)/g, '$1  =  $2'));
  if (how < 0.22) return lines.map((line) => `${line} `);
  if (how < 0.27) return lines.map((line) => line.replaceAll("'", '\u2019'));
  return lines;
}
