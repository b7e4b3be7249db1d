/** What a patch asks of one file. `line` is where it begins in the patch, 1-based. */
export type FilePatch = AddPatch | DeletePatch | UpdatePatch;

/** A file to make. `line` is where its header stands in the patch, 1-based. */
export interface AddPatch {
  readonly op: 'add';
  readonly path: string;
  readonly line: number;
  readonly content: string;
  /** Permission bits, where the patch gives any. */
  readonly mode?: number;
}

/** A file to delete. `line` is where its header stands in the patch, 1-based. */
export interface DeletePatch {
  readonly op: 'delete';
  readonly path: string;
  readonly line: number;
  /** The lines that go, where the patch shows them. */
  readonly lines?: readonly string[];
}

/** A file to change, to move, or both. `line` is where its header stands in the patch, 1-based. */
export interface UpdatePatch {
  readonly op: 'update';
  readonly path: string;
  readonly line: number;
  readonly moveTo?: string;
  readonly hunks: readonly PatchHunk[];
}

/** One stretch of lines: what stays, goes and comes, in order. */
export interface PatchHunk {
  /** 1-based, in the patch. */
  readonly line: number;
  /** The lines that stand somewhere above it, outermost first: `@@ class Basket:`, `@@ def total(self):`. */
  readonly headers: readonly string[];
  /** 1-based line of the file where a diff says that it begins. */
  readonly expectedLine?: number;
  readonly lines: readonly HunkLine[];
  /** Its last line is the last of the file. */
  readonly isAtEnd: boolean;
}

/** One line of a hunk, without its sign and its line end. */
export interface HunkLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** An empty line without its blank: it may only part two hunks. */
  readonly isBare?: true;
  /** How the line ends, where the patch tells: a diff does, with nothing for a last line without a newline. */
  readonly ending?: '\n' | '\r\n' | '';
}

/** A patch, or what is wrong with it and where. */
export type ParsedPatch =
  | { readonly status: 'parsed'; readonly files: readonly FilePatch[] }
  | { readonly status: 'wrong'; readonly message: string };

/** A patch that cannot be read, with what is wrong in it and what to do. */
export function wrongPatch(message: string): Extract<ParsedPatch, { status: 'wrong' }> {
  return { status: 'wrong', message };
}

/** The lines of the file that a hunk speaks of. */
export function oldLines(hunk: PatchHunk): readonly string[] {
  return hunk.lines.filter(({ sign }) => sign !== '+').map(({ text }) => text);
}

/** The same after the patch. */
export function newLines(hunk: PatchHunk): readonly string[] {
  return hunk.lines.filter(({ sign }) => sign !== '-').map(({ text }) => text);
}

/** The paths at which a patch makes new files. */
export function addedPaths(files: readonly FilePatch[]): readonly string[] {
  return files.flatMap(({ op, path }) => (op === 'add' ? [path] : []));
}

/** The paths that a patch names. */
export function pathsOf(files: readonly FilePatch[]): readonly string[] {
  return files.flatMap((file) =>
    file.op === 'update' && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path],
  );
}
