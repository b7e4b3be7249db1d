import * as z from 'zod';
import { LOG_LEVELS } from '../../workspace/log.ts';
import { denyGlob } from './deny-glob.ts';

/** Every message fits after the value: `snippet is "maybe". Give always, tolerant or never`. */
const give = (what: string) => ({ error: `Give ${what}` });

const choice = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.enum(names, give(`one of ${names.join(', ')}`)).optional();
const onOrOff = z.boolean(give('true or false')).optional();
const wholeNumber = (least: number, most: number, unit: string) => {
  const what = give(`a whole number of ${unit} from ${least} to ${most}`);
  return z.int(what).min(least, what).max(most, what).optional();
};
const milliseconds = wholeNumber(0, 86_400_000, 'milliseconds');
const times = wholeNumber(1, 1_000_000, 'times');
const strings = (what: string) =>
  z
    .array(z.string(give(what)).min(1, give(what)), give(`a list of ${what}`))
    .max(1000, give('at most 1000'))
    .optional();
const globs = z
  .array(z.string(give('a glob')).min(1, give('a glob')).check(denyGlob), give('a list of globs'))
  .max(1000, give('at most 1000'))
  .optional();
const server = z.union(
  [z.literal('off'), z.record(z.string(), z.unknown())],
  give('"off", or an object with members of a server definition'),
);

/** What can be chosen for good, in a file of the user's or of the project's. The one definition; the names are those of the options. */
export const settingsSchema = z.strictObject({
  $schema: z.string(give('where the schema lies')).optional().describe('The schema of this file, for editors.'),
  deny: globs.describe(
    'No tool touches these files: globs relative to the root, or without a / for any folder. The lists of all files and options are joined. Bash is off then unless it is named in tools.',
  ),
  allow: strings('paths').describe('Paths outside the root that tools may touch too; joined like deny.'),
  unconfined: onOrOff.describe('Allows every path: where a container is the boundary.'),
  untrusted: onOrOff.describe('Nothing of the project runs: no language server of its own, none that runs its code.'),
  tools: strings('names of tools').describe('Only these tools, in this order.'),
  dialect: choice(['claude', 'opencode', 'gemini', 'codex']).describe('The names that a family of models knows.'),
  model: z
    .string(give('the id of a model'))
    .min(1, give('the id of a model'))
    .optional()
    .describe('The tools and names that this model knows best; takes the place of a dialect of lesser weight.'),
  experimentalLsp: onOrOff.describe('Also offers the LSP tool: definitions, references, symbols.'),
  allowRefactor: onOrOff.describe('The LSP tool may also rename, move files and apply code actions.'),
  strictWrite: onOrOff.describe('Refuses Write over a file that was not read.'),
  snippet: choice(['always', 'tolerant', 'never']).describe('When an edit shows its lines.'),
  loopFailures: times.describe('An edit or Read that failed this often in the same way is not run again.'),
  loopNotes: times.describe('A command or search that failed this often in the same way is noted.'),
  loopNear: times.describe('As many failing edits that differ little get the lines of their file.'),
  loopStrict: onOrOff.describe('Commands that fail in the same way are not run again either.'),
  waitCold: milliseconds.describe('Milliseconds that an edit waits for its diagnostics.'),
  severity: choice(['error', 'warning', 'information', 'hint']).describe(
    'The least grave findings that an edit reports.',
  ),
  servers: z
    .record(z.string(), server, give('an object of servers by name'))
    .optional()
    .describe('Language servers by name: "off", or members as in servers.json. "*": "off" switches off all others.'),
  inProcess: onOrOff.describe('Keeps all in the process of the command: no resident one.'),
  idle: milliseconds.describe('Milliseconds without a connection after which the resident process ends.'),
  structured: onOrOff.describe('MCP results also as structured content, for programs.'),
  maxOutput: wholeNumber(1000, 1_000_000_000, 'characters').describe('Longer text results over MCP are cut.'),
  answerWithin: milliseconds.describe('Milliseconds that an MCP client without progress waits.'),
  logLevel: choice(['off', ...LOG_LEVELS]).describe('What is written to the log of the root.'),
});

/** The content of a file of settings. */
export type Settings = z.infer<typeof settingsSchema>;
/** A setting that says something; `$schema` is for editors. */
export type SettingName = Exclude<keyof Settings, '$schema'>;

/** What a setting is where nobody says anything; what depends on another is left out. */
export const DEFAULT_SETTINGS = {
  deny: [],
  allow: [],
  unconfined: false,
  untrusted: false,
  dialect: 'claude',
  experimentalLsp: false,
  allowRefactor: false,
  strictWrite: false,
  snippet: 'always',
  loopFailures: 2,
  loopNotes: 3,
  loopNear: 3,
  loopStrict: false,
  waitCold: 3000,
  severity: 'error',
  servers: {},
  inProcess: false,
  idle: 1_800_000,
  structured: false,
  maxOutput: 100_000,
  answerWithin: 50_000,
  logLevel: 'info',
} as const satisfies Settings;

/** All settings, in the order in which they are printed. */
export const SETTING_NAMES = Object.keys(settingsSchema.shape).filter((name) => name !== '$schema') as SettingName[];
