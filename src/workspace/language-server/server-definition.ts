import { z } from 'zod';

const args = z.array(z.string()).default([]);

/** Where a server's program may be found; the first place that has it is taken. */
const place = z.discriminatedUnion('from', [
  /** A package of the project (looked for from the file upwards), `entry` inside it; `via` is the package that brings it. */
  z.strictObject({
    from: z.literal('project'),
    package: z.string(),
    via: z.string().optional(),
    entry: z.string(),
    runtime: z.enum(['native', 'node']),
    args,
  }),
  /** The same among emend's own dependencies. */
  z.strictObject({
    from: z.literal('bundled'),
    package: z.string(),
    via: z.string().optional(),
    entry: z.string(),
    runtime: z.enum(['native', 'node']),
    args,
  }),
  z.strictObject({ from: z.literal('path'), command: z.string(), args }),
]);

/** How a server's diagnostics come, and so what proves that they belong to a version. */
const diagnostics = z.discriminatedUnion('kind', [
  /** `textDocument/diagnostic`: servers take messages in order, so the reply to a request sent after a change is of it. */
  z.strictObject({ kind: z.literal('pull') }),
  /** Published with the version of the document that they are of. */
  z.strictObject({ kind: z.literal('versioned-push') }),
  /** A command that tsserver answers synchronously, each of `requests` in turn. */
  z.strictObject({ kind: z.literal('sync-command'), command: z.string(), requests: z.array(z.string()).min(1) }),
]);

/**
 * Where the workspace of a file begins: the first rule with a marker in a folder above the file decides. A marker is a
 * file or folder name; `name#text` asks that the file contains the text.
 */
const rootRule = z.strictObject({ markers: z.array(z.string()).min(1), pick: z.enum(['outermost', 'nearest']) });

/**
 * One language server as data. In `settings` and `initializationOptions`, `${project}` stands for the folder of the
 * package that `project` asks for and `${python}` for the interpreter of the workspace's virtual environment; a member
 * whose placeholder has no value is left out.
 */
export const serverDefinitionSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  /** LSP language ids. */
  languages: z.array(z.string()).min(1),
  /** Serves only projects whose installed package has one of these major versions, or (`absent`) that lack it. */
  project: z
    .strictObject({
      package: z.string(),
      major: z.strictObject({ min: z.number().int(), max: z.number().int().optional() }),
      absent: z.literal(true).optional(),
    })
    .optional(),
  places: z.array(place).min(1),
  root: z.array(rootRule).default([]),
  settings: z.record(z.string(), z.unknown()).default({}),
  initializationOptions: z.record(z.string(), z.unknown()).optional(),
  diagnostics,
  /** What stands before the codes of its diagnostics when people name them: `TS` makes 2322 `TS2322`. */
  codePrefix: z.string().default(''),
  /** It answers for files that it has not open as well: others must be opened, or they are called clean. */
  answersUnopened: z.literal(true).optional(),
  /**
   * A command that makes it look at the disk again at once. For a server that watches the disk by itself: until its
   * watch has told it, which nothing says, it would answer of the files as they were.
   */
  lookAgain: z.strictObject({ command: z.string(), arguments: z.array(z.unknown()) }).optional(),
  /** A notification by which the server names the version of the `project` package that it uses; another is a failure. */
  reportsVersion: z.string().optional(),
  /** What a person runs to have it. */
  install: z.string(),
  /** The version that the tests ran with. */
  verified: z.string(),
});

export type ServerDefinition = z.infer<typeof serverDefinitionSchema>;
export type ServerPlace = ServerDefinition['places'][number];
export type DiagnosticsKind = ServerDefinition['diagnostics'];
