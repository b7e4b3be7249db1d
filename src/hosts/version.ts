import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifest = z.object({ version: z.string() });

/** emend's own version, as its package says. */
export const version = manifest.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
).version;
