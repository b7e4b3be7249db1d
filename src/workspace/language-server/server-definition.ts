import * as z from 'zod';

const args = z.array(z.string()).default([]);

/** A program in a package, `entry` inside it. */
const program = { package: z.string(), entry: z.string(), runtime: z.enum(['native', 'node']), args };

/** Where a server's program may be found; the first place that has it is taken. `via` is the package that brings it. */
const place = z.discriminatedUnion('from', [
  /** A package of the project, looked for from the file upwards. */
  z.strictObject({ from: z.literal('project'), via: z.string().optional(), ...program }),
  /** The same among emend's own dependencies. */
  z.strictObject({ from: z.literal('bundled'), via: z.string().optional(), ...program }),
  /** The same in the folder that `emend doctor --install` fills for this server. */
  z.strictObject({ from: z.literal('installed'), ...program }),
  z.strictObject({ from: z.literal('path'), command: z.string(), args }),
]);

/** How a server's diagnostics come, and so what proves that they belong to a version. */
const diagnostics = z.union([
  /** `textDocument/diagnostic`: servers take messages in order, so the reply to a request sent after a change is of it. */
  z.strictObject({ kind: z.literal('pull') }),
  /**
   * Published with the version of the document that they are of; by some in parts, the last of which is whole: for these
   * nothing more must come for `quietMs`.
   */
  z.strictObject({ kind: z.literal('versioned-push'), quietMs: z.number().int().min(0).optional() }),
  /**
   * Published without a version after every change, also one of nothing. The reply to a request sent after the change
   * shows that the server has it. `at-once`: it publishes as it takes a change; where that is not quite at once, nothing
   * more must come for `quietMs`. `debounced`: its
   * timer starts anew with each change, so what comes `settleMs` after the reply is of the last.
   */
  z.strictObject({
    kind: z.literal('unversioned-push'),
    comes: z.literal('at-once'),
    quietMs: z.number().int().min(0).optional(),
  }),
  z.strictObject({
    kind: z.literal('unversioned-push'),
    comes: z.literal('debounced'),
    settleMs: z.number().int().min(0),
  }),
  /** A command that tsserver answers synchronously, each of `requests` in turn. */
  z.strictObject({ kind: z.literal('sync-command'), command: z.string(), requests: z.array(z.string()).min(1) }),
]);

/** A message of the server, told by its method and, where given, by members that it must have. */
const sign = z.strictObject({ method: z.string(), where: z.record(z.string(), z.unknown()).default({}) });

/** Where a server's packages are installed from; the first whose Node is there is taken. */
const npm = z.strictObject({
  /** The least major version of Node that they run on. */
  node: z.number().int(),
  /** With exact versions, as in `name@1.2.3`. */
  packages: z.array(z.string().regex(/^(@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+[\w.-]*$/)).min(1),
});

/**
 * Where the workspace of a file begins: the first rule with a marker in a folder above the file decides. A marker is a
 * file or folder name; `name#text` asks that the file contains the text.
 */
const rootRule = z.strictObject({ markers: z.array(z.string()).min(1), pick: z.enum(['outermost', 'nearest']) });

/**
 * One language server as data. In `settings` and `initializationOptions`, `${project}` stands for the folder of the
 * package that `project` asks for, `${typescript}` for a TypeScript below 7 (the project's, else emend's own), `${root}`
 * and `${rootUri}` for the workspace folder and `${python}` for the interpreter of its virtual environment; a member whose
 * placeholder has no value is left out.
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
  /** A second opinion: it serves only where a marker of its `root` stands, and nobody is told that it is missing. */
  checker: z.literal(true).optional(),
  /** Of a file that is in no project it knows nothing, and may call it clean: it serves only below a marker of its `root`. */
  needsProject: z.literal(true).optional(),
  /** Where this one is found, those do not serve. */
  insteadOf: z.array(z.string()).default([]),
  /** It runs code of the project, or what the project's settings name. */
  runsProjectCode: z.literal(true).optional(),
  places: z.array(place).min(1),
  root: z.array(rootRule).default([]),
  settings: z.record(z.string(), z.unknown()).default({}),
  initializationOptions: z.record(z.string(), z.unknown()).optional(),
  diagnostics,
  /**
   * A second stage: after `didSave` it runs a checker, and publishes what that finds, of no version and of any file. The
   * run is told by work-done progress whose token begins so; what comes late of it comes within `quietMs` of its end.
   */
  onSave: z.strictObject({ progress: z.string(), quietMs: z.number().int().min(0) }).optional(),
  /** It answers, but of nothing, until it has said this. */
  readyWhen: sign.optional(),
  /** It knows uses in files that it has not open once it has logged a message that begins so. */
  knowsFilesWhen: z.array(z.string()).optional(),
  /** What it says (of a file, where it names one) when it can't check; a file that it can is told by another sign. */
  cannot: z.array(sign.extend({ reason: z.string() })).default([]),
  /** A command of a document's uri that organises its imports, of a server that offers no code action for it. */
  organizeImports: z.string().optional(),
  /** What stands before the codes of its diagnostics when people name them: `TS` makes 2322 `TS2322`. */
  codePrefix: z.string().default(''),
  /**
   * A request that names the configuration file of a document's project: a custom method, or one of tsserver's through a
   * command. A file that is in none it judges by default options, which is then said.
   */
  projectOf: z
    .union([z.strictObject({ method: z.string() }), z.strictObject({ command: z.string(), request: z.string() })])
    .optional(),
  /** It answers for files that it has not open as well: others must be opened, or they are called clean. */
  answersUnopened: z.literal(true).optional(),
  /** It keeps no index of the workspace: of files that it has not open it knows nothing. */
  knowsOnlyOpen: z.literal(true).optional(),
  /** It loads a project with the first of its files that is opened, and knows no use in others: what makes a project. */
  projectFiles: z.array(z.string()).optional(),
  /**
   * A command that makes it look at the disk again at once. For a server that watches the disk by itself: until its
   * watch has told it, which nothing says, it would answer of the files as they were.
   */
  lookAgain: z.strictObject({ command: z.string(), arguments: z.array(z.unknown()) }).optional(),
  /**
   * Where it finds the code of others: in `node_modules` beside its files and above, or where the interpreter has it. When
   * something is installed there, it looks again, or begins anew.
   */
  packages: z.enum(['node_modules', 'site-packages']).optional(),
  /** A notification by which the server names the version of the `project` package that it uses; another is a failure. */
  reportsVersion: z.string().optional(),
  npm: z.array(npm).default([]),
  /** What a person runs to have it. */
  install: z.string(),
  /** The version that was seen to find what is broken and to be content when it is mended; `never`. */
  verified: z.string(),
});

/** A definition as it was read, with its defaults. */
export type ServerDefinition = z.infer<typeof serverDefinitionSchema>;
/** One place where its program may be found. */
export type ServerPlace = ServerDefinition['places'][number];
/** How its diagnostics come. */
export type DiagnosticsKind = ServerDefinition['diagnostics'];
