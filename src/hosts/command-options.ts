import { z } from 'zod';
import { UsageError } from './usage-error.ts';

const commandOptions = z.object({
  root: z.string().min(1),
  session: z.string().min(1).optional(),
  json: z.boolean().optional(),
  waitCold: z.coerce.number().int().min(0).max(600_000).optional(),
  snippet: z.enum(['always', 'tolerant', 'never']).optional(),
  allow: z.array(z.string()).optional(),
  unconfined: z.literal(true).optional(),
});

export type CommandOptions = z.infer<typeof commandOptions>;

/** Reads a command's options. @throws UsageError naming the option and its value */
export function parseOptions(options: Record<string, unknown>): CommandOptions {
  const parsed = commandOptions.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? 'option').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(`--${name} ${String(options[String(issue?.path[0])])}: ${issue?.message ?? 'not understood'}`);
}
