import * as z from 'zod';
import { LOG_LEVELS } from '../workspace/log.ts';

/**
 * What fronts and a resident process say to each other, as JSON-RPC with LSP's framing. `hello` comes first; its shape
 * and `retire` stay as they are in every version, since the two sides may be of different ones.
 */
export const RESIDENT = {
  hello: 'emend/hello',
  /** The process takes no new connections, keeps those it has, and ends with the last. */
  retire: 'emend/retire',
  /** It ends now, and its language servers with it. */
  stop: 'emend/stop',
  status: 'emend/status',
  call: 'emend/call',
  flush: 'emend/flush',
  progress: 'emend/progress',
} as const;

/** Which tools a session sees, under which names. */
const toolChoiceSchema = z.object({
  tools: z.array(z.string()).readonly().optional(),
  dialect: z.string().optional(),
  model: z.string().optional(),
  experimentalLsp: z.enum(['read', 'refactor']).optional(),
  called: z.string().optional(),
});

/** The first message of a front: what it is and what it asks of the root. */
export const helloSchema = z.object({
  version: z.string(),
  /** Real paths; relative paths of the session start from the first. */
  roots: z.tuple([z.string()], z.string()),
  allow: z.array(z.string()),
  isUnconfined: z.boolean(),
  deny: z.array(z.string()).optional(),
  /** Commands were asked for though there is a deny list. */
  commands: z.literal('asked_for').optional(),
  /** Nothing of the project may run: a resident that was started otherwise refuses. */
  untrusted: z.literal(true).optional(),
  /** What of this session's calls the log of the root is to have, other than of all. */
  logLevel: z.enum(['off', ...LOG_LEVELS]).optional(),
  /** Names the session; absent: one that ends with the connection. */
  session: z.string().optional(),
  /** The front's environment, which its commands run in. */
  env: z.record(z.string(), z.string()),
  choice: toolChoiceSchema,
});

/** The first message of a front, checked. */
export type Hello = z.infer<typeof helloSchema>;

/** The answer of a resident to it. */
export const welcomeSchema = z.object({
  version: z.string(),
  pid: z.number(),
  root: z.string(),
  /** Absent where the versions differ. */
  tools: z.array(z.unknown()).optional(),
  /** Its settings are not those of the files any more: another has to take its place. */
  outdated: z.literal(true).optional(),
  /** Why there is no session: the front asked for a tool that there is not. */
  refused: z.string().optional(),
});

/** A call that a front passes on. */
export const callParamsSchema = z.object({
  /** The front's number of the call; progress is told under it. */
  call: z.number(),
  name: z.string(),
  args: z.unknown(),
  answerWithinMs: z.number().optional(),
  options: z
    .object({
      snippet: z.enum(['always', 'tolerant', 'never']),
      diagnosticsBudgetMs: z.number(),
      pendingHint: z.string(),
      strictWrite: z.boolean(),
      loopGate: z.object({
        failures: z.number(),
        notes: z.number(),
        nearFailures: z.number(),
        strictness: z.enum(['edits', 'edits_and_commands']),
      }),
    })
    .partial(),
});

/** What a running call tells, under the front's number of it. */
export const progressSchema = z.object({ call: z.number(), message: z.string() });

/** What a resident says of itself. */
export const statusSchema = z.object({
  version: z.string(),
  pid: z.number(),
  root: z.string(),
  upMs: z.number(),
  connections: z.number(),
  sessions: z.array(z.string()),
});

/** What a resident says of itself, checked. */
export type ResidentStatus = z.infer<typeof statusSchema>;
