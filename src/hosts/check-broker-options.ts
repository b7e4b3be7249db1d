import * as z from 'zod';
import { nearestName } from '../workspace/nearest-name.ts';
import type { BrokerOptions } from './broker-options.ts';
import { denyGlob } from './config/deny-glob.ts';

const names = z.array(z.string().min(1));

/** What a program without types may get wrong; ports, layers and servers are looked at by those who take them. */
const OPTIONS = {
  root: z.union([z.string().min(1), names.min(1)]),
  config: z.literal('files').optional(),
  session: z.string().min(1).optional(),
  snippet: z.enum(['always', 'tolerant', 'never']).optional(),
  diagnosticsBudgetMs: z.number().min(0).optional(),
  pendingHint: z.string().optional(),
  strictWrite: z.literal(true).optional(),
  loopGate: z.unknown(),
  store: z.unknown(),
  run: z.unknown(),
  allow: names.optional(),
  unconfined: z.literal(true).optional(),
  deny: z.array(z.string().min(1).check(denyGlob)).optional(),
  commands: z.literal('asked_for').optional(),
  layers: z.unknown(),
  untrusted: z.literal(true).optional(),
  severity: z.string().optional(),
  servers: z.record(z.string(), z.unknown()).optional(),
  logLevel: z.string().optional(),
  stateFolder: z.string().min(1).optional(),
  tools: names.optional(),
  dialect: z.string().optional(),
  model: z.string().min(1).optional(),
  experimentalLsp: z.enum(['read', 'refactor']).optional(),
  called: z.string().optional(),
} satisfies Record<keyof BrokerOptions, z.ZodType>;

/** @throws TypeError that names the option that is none, or has a value that it does not take */
export function checkBrokerOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError("createBroker takes its options in an object, { root: 'DIR' } at least.");
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      const near = nearestName(name, Object.keys(OPTIONS));
      throw new TypeError(
        `createBroker: there is no option ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
      );
    }
    check(name as keyof typeof OPTIONS, value);
  }
  if (!('root' in options)) throw new TypeError("createBroker: root is missing. Name the folder: { root: 'DIR' }.");
}

function check(name: keyof typeof OPTIONS, value: unknown): void {
  const read = OPTIONS[name].safeParse(value);
  if (read.success) return;
  const said = [...new Set(read.error.issues.map(({ message }) => message))].join('; ');
  throw new TypeError(`createBroker: ${name} can't be ${JSON.stringify(value)?.slice(0, 100)}: ${said}.`);
}
