/** What of a language's syntax matters for comparing: its comments, and whether indentation is meaning. */
export interface Syntax {
  /** What starts a comment that runs to the end of the line. */
  readonly line: readonly string[];
  readonly block: readonly (readonly [open: string, close: string])[];
  /** Blocks are told by indentation alone. */
  readonly isOffside?: true;
}

const C: Syntax = { line: ['//'], block: [['/*', '*/']] };
const HASH: Syntax = { line: ['#'], block: [] };
const DASH: Syntax = { line: ['--'], block: [['/*', '*/']] };
const MARKUP: Syntax = { line: [], block: [['<!--', '-->']] };
const NONE: Syntax = { line: [], block: [] };
const MIXED: Syntax = {
  line: ['//'],
  block: [
    ['/*', '*/'],
    ['<!--', '-->'],
  ],
};
/** For a file that nothing names: only marks that hardly mean anything else. */
const UNKNOWN: Syntax = {
  isOffside: true,
  line: ['//', '# '],
  block: [
    ['/*', '*/'],
    ['<!--', '-->'],
  ],
};

const BY_EXTENSION: Readonly<Record<string, Syntax>> = Object.fromEntries([
  ...named(
    C,
    'js mjs cjs jsx ts mts cts tsx c h cc cpp cxx hh hpp hxx m mm java kt kts swift cs go rs scala dart groovy',
  ),
  ...named(C, 'gradle php scss less proto jsonc json5 v sv zig glsl wgsl sol'),
  ...named({ line: [], block: C.block }, 'css'),
  ...named(HASH, 'rb sh bash zsh fish toml mk cmake pl pm r awk conf cfg tf nix jl ex exs graphql ps1'),
  ...named(HASH, 'properties env gitignore dockerfile makefile rake gemspec podspec'),
  ...named(DASH, 'sql'),
  ...named({ ...HASH, isOffside: true }, 'py pyi pyx yml yaml nim coffee'),
  ...named({ line: ['--'], block: [['{-', '-}']], isOffside: true }, 'hs elm'),
  ...named({ line: [], block: [['(*', '*)']] }, 'ml mli pas'),
  ...named({ line: ['//'], block: [['(*', '*)']], isOffside: true }, 'fs fsx'),
  ...named({ line: ['--'], block: [] }, 'lua ada adb vhd'),
  ...named(MARKUP, 'html htm xml svg md markdown xhtml plist'),
  ...named(MIXED, 'vue svelte astro'),
  ...named({ line: ['%'], block: [] }, 'tex sty bib erl'),
  ...named({ line: [';', '#'], block: [] }, 'ini'),
  ...named({ line: [';'], block: [] }, 'lisp clj cljs scm el asm s'),
  ...named(NONE, 'json csv tsv txt text log patch diff'),
]);

function named(syntax: Syntax, extensions: string): readonly (readonly [string, Syntax])[] {
  return extensions.split(' ').map((extension) => [extension, syntax] as const);
}

/** By a path's extension, or its whole name where it has none (`Makefile`). */
export function syntaxOf(path: string | undefined): Syntax {
  const name = (path ?? '').replace(/^.*[\\/]/, '').toLowerCase();
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? UNKNOWN) : UNKNOWN;
}
