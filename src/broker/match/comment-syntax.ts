/** How comments are written in a language. */
export interface CommentSyntax {
  /** What starts a comment that runs to the end of the line. */
  readonly line: readonly string[];
  readonly block: readonly (readonly [open: string, close: string])[];
}

const C: CommentSyntax = { line: ['//'], block: [['/*', '*/']] };
const HASH: CommentSyntax = { line: ['#'], block: [] };
const DASH: CommentSyntax = { line: ['--'], block: [['/*', '*/']] };
const MARKUP: CommentSyntax = { line: [], block: [['<!--', '-->']] };
const NONE: CommentSyntax = { line: [], block: [] };
const MIXED: CommentSyntax = {
  line: ['//'],
  block: [
    ['/*', '*/'],
    ['<!--', '-->'],
  ],
};
/** For a file that nothing names: only marks that hardly mean anything else. */
const UNKNOWN: CommentSyntax = {
  line: ['//', '# '],
  block: [
    ['/*', '*/'],
    ['<!--', '-->'],
  ],
};

const BY_EXTENSION: Readonly<Record<string, CommentSyntax>> = Object.fromEntries([
  ...named(
    C,
    'js mjs cjs jsx ts mts cts tsx c h cc cpp cxx hh hpp hxx m mm java kt kts swift cs go rs scala dart groovy',
  ),
  ...named(C, 'gradle php scss less proto jsonc json5 v sv zig glsl wgsl sol'),
  ...named({ line: [], block: C.block }, 'css'),
  ...named(
    HASH,
    'py pyi pyx rb sh bash zsh fish yml yaml toml mk cmake pl pm r awk conf cfg tf nix jl ex exs graphql ps1',
  ),
  ...named(HASH, 'properties env gitignore dockerfile makefile rake gemspec podspec'),
  ...named(DASH, 'sql'),
  ...named({ line: ['--'], block: [['{-', '-}']] }, 'hs elm'),
  ...named({ line: ['--'], block: [] }, 'lua ada adb vhd'),
  ...named(MARKUP, 'html htm xml svg md markdown xhtml plist'),
  ...named(MIXED, 'vue svelte astro'),
  ...named({ line: ['%'], block: [] }, 'tex sty bib erl'),
  ...named({ line: [';', '#'], block: [] }, 'ini'),
  ...named({ line: [';'], block: [] }, 'lisp clj cljs scm el asm s'),
  ...named(NONE, 'json csv tsv txt text log patch diff'),
]);

function named(syntax: CommentSyntax, extensions: string): readonly (readonly [string, CommentSyntax])[] {
  return extensions.split(' ').map((extension) => [extension, syntax] as const);
}

/** By a path's extension, or its whole name where it has none (`Makefile`). */
export function commentSyntaxOf(path: string | undefined): CommentSyntax {
  const name = (path ?? '').replace(/^.*[\\/]/, '').toLowerCase();
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? UNKNOWN) : UNKNOWN;
}
