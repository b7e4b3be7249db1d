import { type FixtureProject, fixtureProject, type InstalledTypeScript, TSCONFIG } from './fixture-project.ts';

/** A seeded source of numbers: `next(n)` is in [0, n). */
export interface Random {
  next(below: number): number;
}

/** Mulberry32: small, and the same everywhere. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return {
    next: (below) => {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) % below;
    },
  };
}

type Kind = 'number' | 'string';
const KINDS: readonly Kind[] = ['number', 'string'];
const VALUES: Readonly<Record<Kind, string>> = { number: '1', string: "'x'" };

/** One module: a function of one parameter, its result, and calls of functions of other modules. */
export interface Module {
  parameter: Kind;
  result: Kind;
  /** The value that it returns, right or not. */
  returns: Kind;
  /** Modules that it calls, with the kind of value that it passes. */
  calls: readonly { readonly module: number; readonly passes: Kind }[];
  comment: number;
}

export function moduleText(index: number, module: Module): string {
  const imports = module.calls.map((call) => `import { f${call.module} } from './m${call.module}.js';`);
  const calls = module.calls.map((call, i) => `export const c${index}_${i} = f${call.module}(${VALUES[call.passes]});`);
  return [
    ...imports,
    '',
    `// ${module.comment}`,
    `export function f${index}(value: ${module.parameter}): ${module.result} {`,
    `  void value;`,
    `  return ${VALUES[module.returns]};`,
    '}',
    '',
    ...calls,
    '',
  ].join('\n');
}

/** Modules without errors, each calling up to three that come before it. */
export function generatedModules(count: number, random: Random): Module[] {
  const modules: Module[] = [];
  for (let index = 0; index < count; index++) {
    const result = KINDS[random.next(2)] ?? 'number';
    const targets = new Set(index === 0 ? [] : [random.next(index), random.next(index), random.next(index)]);
    modules.push({
      parameter: KINDS[random.next(2)] ?? 'number',
      result,
      returns: result,
      calls: [...targets].map((module) => ({ module, passes: modules[module]?.parameter ?? 'number' })),
      comment: 0,
    });
  }
  return modules;
}

/** Changes one thing of a module: its parameter, its result, what it returns or passes, or nothing that matters. */
export function changeModule(module: Module, random: Random): Module {
  const kind = KINDS[random.next(2)] ?? 'number';
  switch (random.next(5)) {
    case 0:
      return { ...module, parameter: kind };
    case 1:
      return { ...module, result: kind };
    case 2:
      return { ...module, returns: kind };
    case 3: {
      const at = random.next(Math.max(1, module.calls.length));
      return { ...module, calls: module.calls.map((call, i) => (i === at ? { ...call, passes: kind } : call)) };
    }
    default:
      return { ...module, comment: module.comment + 1 };
  }
}

export function generatedProject(modules: readonly Module[], typescript: InstalledTypeScript): FixtureProject {
  const files = modules.map((module, index) => [`src/m${index}.ts`, moduleText(index, module)] as const);
  return fixtureProject({ 'tsconfig.json': TSCONFIG, ...Object.fromEntries(files) }, { typescript });
}
