import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { FileDiagnostic } from '../../src/diagnostics/report.ts';
import { type CallResult, createBroker } from '../../src/index.ts';
import { fixtureProject } from './fixture-project.ts';
import { changeModule, generatedModules, type Module, type Random, seeded } from './generated-project.ts';
import type { SoakLanguage } from './soak-language.ts';

const TOOLS = ['Read', 'Edit', 'MultiEdit', 'Write', 'Bash', 'apply_patch', 'Undo'];
const LATE_MS = 60_000;

export interface ToolsWalk {
  readonly calls: number;
  /** Calls whose answer and what followed it told something else than what a compiler found before and after. */
  readonly wrong: readonly string[];
}

/** A file and a code, as often as they are found. */
type Found = readonly string[];

/**
 * Random calls of the tools that change files. After each, what was told as introduced and as fixed, at once and late, is
 * held against the errors that a compiler finds in the whole project before the call and after it.
 */
export async function walkTools(
  language: SoakLanguage,
  { seed, calls, files }: { readonly seed: number; readonly calls: number; readonly files: number },
): Promise<ToolsWalk> {
  const random = seeded(seed);
  const modules = new Map<number, Module>(generatedModules(files, random).entries());
  const texts = [...modules].map(([index, module]) => [language.fileOf(index), language.text(index, module)] as const);
  const project = fixtureProject(
    { ...language.files, ...Object.fromEntries(texts) },
    language.typescript ? { typescript: language.typescript } : {},
  );
  const broker = await createBroker({ root: project.root, diagnosticsBudgetMs: 30_000, tools: TOOLS });
  const compiled = (): Found => language.compiled(project.root).map((line) => line.replace(/ \d+:\d+ /, ' '));
  const walk = new Walk(language, { random, files, modules, folder: project.path('.') });
  const wrong: string[] = [];
  try {
    await broker.call('Read', { file_path: language.fileOf(0) });
    await broker.flush(LATE_MS);
    let before = compiled();
    for (let n = 0; n < calls; n++) {
      const { name, args, tool } = walk.next();
      const result = await broker.call(tool, args);
      walk.after(tool, result);
      const late = await broker.flush(LATE_MS);
      const after = compiled();
      const reports = [
        result.receipt.diagnostics,
        ...(result.receipt.reflow ?? []),
        ...late.map(({ report }) => report),
      ];
      const told = (kind: 'introduced' | 'fixed'): Found =>
        reports.flatMap((report) => report?.[kind].map(({ path, code }: FileDiagnostic) => `${path} ${code}`) ?? []);
      const [introduced, fixed] = [less(told('introduced'), told('fixed')), less(told('fixed'), told('introduced'))];
      const [came, went] = [less(after, before), less(before, after)];
      const isTold = String(introduced) === String(came) && String(fixed) === String(went);
      // What a command did is nobody's edit.
      if (!result.ok || (tool !== 'Bash' && !isTold)) {
        const what = `call ${n}, seed ${seed}: ${name}: ${result.text.slice(0, 200)}`;
        wrong.push(`${what}\ntold +${introduced} -${fixed}\nfound +${came} -${went}`);
      }
      before = after;
    }
  } finally {
    await broker.close();
    project.remove();
  }
  return { calls, wrong };
}

/** Draws calls, and knows which module stands in which file. */
class Walk {
  readonly #language: SoakLanguage;
  readonly #random: Random;
  readonly #files: number;
  readonly #folder: string;
  readonly #modules: Map<number, Module>;
  /** Every module that was ever written, by its text. */
  readonly #byText = new Map<string, Module>();
  #next: number;
  #undoable: string[] = [];

  constructor(
    language: SoakLanguage,
    options: {
      readonly random: Random;
      readonly files: number;
      readonly modules: Map<number, Module>;
      readonly folder: string;
    },
  ) {
    this.#language = language;
    this.#random = options.random;
    this.#files = options.files;
    this.#folder = options.folder;
    this.#modules = options.modules;
    this.#next = options.files;
    this.#remember();
  }

  next(): { readonly name: string; readonly tool: string; readonly args: unknown } {
    const what = this.#random.next(10);
    const last = this.#undoable.at(-1);
    if (what === 4) {
      const indexes = [...new Set([this.#any(), this.#any(), this.#any()])];
      return { name: `MultiEdit of ${indexes}`, tool: 'MultiEdit', args: { edits: indexes.map((i) => this.#edit(i)) } };
    }
    if (what === 5) return this.#move(this.#any(), this.#next++);
    if (what === 6 && this.#modules.size > this.#files / 2) return this.#delete(this.#any());
    if (what === 7) return this.#create(this.#absent(), this.#any());
    if (what === 8 && last !== undefined) return { name: `Undo of ${last}`, tool: 'Undo', args: { id: last } };
    if (what === 9) return this.#shell(this.#any());
    const index = this.#any();
    return { name: `Edit of ${index}`, tool: 'Edit', args: this.#edit(index) };
  }

  /** Takes over what the call left. */
  after(tool: string, { receipt }: CallResult): void {
    if (tool === 'Undo') {
      this.#undoable.pop();
      this.#look();
    } else if (tool === 'Bash') this.#undoable = [];
    else if (receipt.undo !== undefined) this.#undoable.push(receipt.undo);
    this.#remember();
  }

  #remember(): void {
    for (const [index, module] of this.#modules) this.#byText.set(this.#language.text(index, module), module);
  }

  #look(): void {
    this.#modules.clear();
    const folder = `${this.#folder}/${this.#language.fileOf(0).replace(/[^/]*$/, '')}`;
    for (const name of readdirSync(folder)) {
      const index = /^m(\d+)\./.exec(name)?.[1];
      const module = index === undefined ? undefined : this.#byText.get(readFileSync(`${folder}/${name}`, 'utf8'));
      if (module) this.#modules.set(Number(index), module);
    }
  }

  #any(): number {
    const present = [...this.#modules.keys()];
    return present[this.#random.next(present.length)] ?? 0;
  }

  #absent(): number {
    const gone = Array.from({ length: this.#files }, (_, index) => index).filter((index) => !this.#modules.has(index));
    return gone[this.#random.next(Math.max(1, gone.length))] ?? this.#next++;
  }

  #of(index: number): Module {
    const module = this.#modules.get(index);
    if (!module) throw new Error(`there is no module ${index}`);
    return module;
  }

  /** A change that is one. */
  #changed(index: number): Module {
    const module = this.#of(index);
    const text = this.#language.text(index, module);
    for (;;) {
      const changed = changeModule(module, this.#random);
      if (this.#language.text(index, changed) !== text) return changed;
    }
  }

  #edit(index: number): unknown {
    const old = this.#language.text(index, this.#of(index));
    const changed = this.#changed(index);
    this.#modules.set(index, changed);
    const file_path = this.#language.fileOf(index);
    return { file_path, old_string: old, new_string: this.#language.text(index, changed) };
  }

  #move(from: number, to: number): ReturnType<Walk['next']> {
    const { fileOf, text } = this.#language;
    const module = this.#of(from);
    const [old, now] = [text(from, module), text(to, module)];
    this.#modules.delete(from);
    this.#modules.set(to, module);
    const head = [`*** Update File: ${fileOf(from)}`, `*** Move to: ${fileOf(to)}`, '@@'];
    return patch(`move of ${from} to ${to}`, [...head, ...marked('-', old), ...marked('+', now)]);
  }

  #delete(index: number): ReturnType<Walk['next']> {
    this.#modules.delete(index);
    return patch(`deletion of ${index}`, [`*** Delete File: ${this.#language.fileOf(index)}`]);
  }

  #create(index: number, like: number): ReturnType<Walk['next']> {
    const module = this.#of(like);
    this.#modules.set(index, module);
    const args = { file_path: this.#language.fileOf(index), content: this.#language.text(index, module) };
    return { name: `Write of ${index}`, tool: 'Write', args };
  }

  #shell(index: number): ReturnType<Walk['next']> {
    const changed = this.#changed(index);
    this.#modules.set(index, changed);
    writeFileSync(`${this.#folder}/next.txt`, this.#language.text(index, changed));
    const command = `cp next.txt ${this.#language.fileOf(index)}`;
    return { name: `Bash on ${index}`, tool: 'Bash', args: { command } };
  }
}

function patch(name: string, lines: readonly string[]): ReturnType<Walk['next']> {
  return { name, tool: 'apply_patch', args: { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') } };
}

function marked(mark: string, text: string): readonly string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${mark}${line}`);
}

/** What is in the first and not, or less often, in the second. */
function less(first: Found, second: Found): Found {
  const left = [...second];
  return first
    .filter((one) => {
      const at = left.indexOf(one);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    })
    .sort();
}
