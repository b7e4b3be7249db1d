import * as z from 'zod';
import { loopGateOptions } from '../broker/loop-gate-options.ts';
import type { SessionOptions } from '../broker/session.ts';
import type { ToolChoice } from '../tools/select-tools.ts';
import { LOG_LEVELS } from '../workspace/log.ts';
import { denyGlob } from './config/deny-glob.ts';
import { UsageError } from './usage-error.ts';

const wholeNumber = (least: number, most: number, what: string) =>
  z.coerce.number({ error: what }).int({ error: what }).min(least, { error: what }).max(most, { error: what });

const milliseconds = wholeNumber(0, 86_400_000, 'is not a number of milliseconds from 0 to 86400000 (a day)');
const folder = z.string().min(1, { error: 'is empty. Name a folder' });
const noCount = { error: 'is not a whole number from 1' };
const count = z.coerce.number(noCount).int(noCount).min(1, noCount).max(1_000_000, noCount);
const list = z.string().transform((names) => names.split(',').flatMap((name) => name.trim() || []));

const commandOptions = z.object({
  root: z.tuple([folder], folder).optional(),
  session: z.string().min(1, { error: 'is empty. Give the run a name' }).optional(),
  json: z.boolean().optional(),
  inProcess: z.literal(true).optional(),
  waitCold: milliseconds.optional(),
  snippet: z.enum(['always', 'tolerant', 'never'], { error: 'is none of always, tolerant, never' }).optional(),
  allow: z.array(z.string()).optional(),
  unconfined: z.literal(true).optional(),
  untrusted: z.literal(true).optional(),
  deny: z.array(z.string().min(1, { error: 'is empty. Name files by a glob' }).check(denyGlob)).optional(),
  strictWrite: z.literal(true).optional(),
  loopFailures: count.optional(),
  loopNotes: count.optional(),
  loopNear: count.optional(),
  loopStrict: z.literal(true).optional(),
  tools: list.optional(),
  dialect: z.string().optional(),
  model: z.string().min(1, { error: 'is empty. Give the id of a model' }).optional(),
  experimentalLsp: z.literal(true).optional(),
  allowRefactor: z.literal(true).optional(),
  logLevel: z.enum(['off', ...LOG_LEVELS], { error: `is none of off, ${LOG_LEVELS.join(', ')}` }).optional(),
  severity: z
    .enum(['error', 'warning', 'information', 'hint'], { error: 'is none of error, warning, information, hint' })
    .optional(),
  /** `false` with `--no-config`: no file of settings is read. */
  config: z.boolean().optional(),
  structured: z.literal(true).optional(),
  maxOutput: wholeNumber(1000, 1_000_000_000, 'is not a number of characters from 1000').optional(),
  answerWithin: milliseconds.optional(),
  idle: milliseconds.optional(),
  stop: z.literal(true).optional(),
  status: z.literal(true).optional(),
});

/** The options that the commands share, as commander gives them and as they were checked. */
export type CommandOptions = z.infer<typeof commandOptions>;

/** Reads a command's options. @throws UsageError naming the option and its value */
export function parseOptions(options: Record<string, unknown>): CommandOptions {
  const parsed = commandOptions.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const key = String(issue?.path[0] ?? 'option');
  const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const value = options[key];
  const given = Array.isArray(value) ? (value as readonly unknown[])[Number(issue?.path[1] ?? 0)] : value;
  throw new UsageError(`--${name} ${JSON.stringify(given)} ${issue?.message ?? 'is not understood'}. See --help`);
}

/** What a command's options say of the session's. */
export function sessionOptionsOf(options: CommandOptions): Partial<SessionOptions> {
  return {
    ...(options.snippet && { snippet: options.snippet }),
    ...(options.waitCold !== undefined && { diagnosticsBudgetMs: options.waitCold }),
    ...(options.strictWrite && { strictWrite: true }),
    loopGate: loopGateOptions({
      ...(options.loopFailures !== undefined && { failures: options.loopFailures }),
      ...(options.loopNotes !== undefined && { notes: options.loopNotes }),
      ...(options.loopNear !== undefined && { nearFailures: options.loopNear }),
      ...(options.loopStrict && { strictness: 'edits_and_commands' as const }),
    }),
  };
}

/**
 * Which tools a command is to offer, and under which names.
 * @throws UsageError where refactorings are allowed of a tool that is not asked for
 */
export function toolChoiceOf(options: CommandOptions): ToolChoice {
  const { tools, dialect, model, experimentalLsp, allowRefactor } = options;
  if (allowRefactor && !experimentalLsp) {
    throw new UsageError('--allow-refactor is for the LSP tool, which is experimental. Add --experimental-lsp');
  }
  return {
    ...(tools && { tools }),
    ...(dialect && { dialect }),
    ...(model && { model }),
    ...(experimentalLsp && { experimentalLsp: allowRefactor ? 'refactor' : 'read' }),
  };
}
