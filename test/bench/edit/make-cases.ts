import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { draft, edited, type Source } from './drafts.ts';
import { CONTENT, clean, type Drift, FORM, strings } from './drifts.ts';
import type { EditCase } from './edit-case.ts';
import { HAZARDS } from './hazards.ts';
import { type Random, seeded } from './random.ts';

/** Packages whose shipped sources edits are made in: TypeScript, JavaScript, Python stubs, JSON, Markdown. */
const PACKAGES = [
  'effect',
  'pyright',
  'zod',
  'vscode-languageserver-protocol',
  'fast-check',
  'commander',
  'execa',
  'diff',
  'vitest',
  'picomatch',
  'typescript-language-server',
  'vscode-jsonrpc',
];
const EXTENSIONS = new Set(['.ts', '.js', '.mjs', '.cjs', '.py', '.pyi', '.md', '.json', '.css']);
const PER_PACKAGE = 60;

/** Real files of the project's own dependencies, in a fixed order. */
export function dependencySources(root: string): readonly Source[] {
  return PACKAGES.flatMap((name) => {
    const files = readdirSync(join(root, 'node_modules', name), { recursive: true, encoding: 'utf8' })
      .filter((file) => EXTENSIONS.has(extname(file)) && !/\.min\.|\.map$|(?:^|\/)node_modules\//.test(file))
      .sort();
    const step = Math.max(1, Math.floor(files.length / PER_PACKAGE));
    return files.filter((_, at) => at % step === 0).flatMap((file) => readSource(root, join(name, file)));
  });
}

function readSource(root: string, path: string): readonly Source[] {
  const text = readFileSync(join(root, 'node_modules', path), 'utf8');
  if (text.length < 900 || text.length > 40_000 || /[\r\ufeff\ufffd]/.test(text)) return [];
  const lines = text.split('\n');
  return lines.length < 40 || lines.some((line) => line.length > 300) ? [] : [{ path, lines }];
}

/** One edit with so many drifts put on it; `undefined` where chance found none. */
export function driftedCase(
  random: Random,
  source: Source,
  drifts: readonly (readonly [string, Drift])[],
): Omit<EditCase, 'id'> | undefined {
  const made = draft(random, source, drifts.some(([name]) => name in CONTENT) ? [7, 20] : [1, 14]);
  if (!made) return undefined;
  let sent = clean(made);
  for (const [, drift] of drifts) {
    const next = drift(random, made, sent);
    if (!next) return undefined;
    sent = next;
  }
  const { old, now } = strings(made, sent);
  const inEnds = (text: string): string => (sent.end === '\n' ? text : text.replaceAll('\n', sent.end));
  const [before, after] = [inEnds(source.lines.join('\n')), inEnds(edited(made))];
  if (old === now || before === after) return undefined;
  const name = drifts.map(([each]) => each).join(' + ') || 'exact';
  return {
    class: name,
    lang: extname(source.path).slice(1),
    path: source.path,
    before,
    old_string: old,
    new_string: now,
    expect: 'apply',
    after,
  };
}

/** Combinations of drifts of which each is put on once, those of content before those of the whole. */
export function pickDrifts(random: Random, count: number): readonly (readonly [string, Drift])[] {
  const every = [...Object.entries(CONTENT), ...Object.entries(FORM)];
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(random.int(0, every.length - 1));
  return [...chosen].sort((a, b) => a - b).flatMap((at) => (every[at] ? [every[at]] : []));
}

const TRIES = 400;

/** So many cases of each drift, of pairs and threes of drifts, and of each hazard. */
export function makeCases(
  sources: readonly Source[],
  { seed, perClass }: { readonly seed: string; readonly perClass: number },
): readonly EditCase[] {
  const cases: EditCase[] = [];
  const collect = (
    name: string,
    make: (random: Random, source: Source) => Omit<EditCase, 'id' | 'class'> | undefined,
  ): void => {
    const random = seeded(`${seed}/${name}`);
    let count = 0;
    for (let tries = 0; tries < TRIES * perClass && count < perClass; tries++) {
      const source = random.pick(sources);
      const made = source && make(random, source);
      if (!made) continue;
      count += 1;
      cases.push({ ...made, class: name, id: `${name}-${count}` });
    }
  };
  collect('exact', (random, source) => driftedCase(random, source, []));
  for (const entry of [...Object.entries(FORM), ...Object.entries(CONTENT)]) {
    collect(entry[0], (random, source) => driftedCase(random, source, [entry]));
  }
  for (const count of [2, 3]) {
    collect(`${count} drifts`, (random, source) => driftedCase(random, source, pickDrifts(random, count)));
  }
  for (const [name, make] of Object.entries(HAZARDS)) {
    collect(name, (random, source) => {
      const made = make(random, source);
      if (!made || made.before.includes(made.old)) return undefined;
      return {
        lang: extname(source.path).slice(1),
        path: source.path,
        before: made.before,
        old_string: made.old,
        new_string: made.now,
        expect: 'reject',
        after: null,
      };
    });
  }
  return cases;
}
