import * as z from 'zod';
import type { Receipt } from './receipt.ts';

const sha256 = z.string();
const looked = z.object({ path: z.string(), sha256: sha256.nullable() });
/** A file whose content the journal does not have, or what is no file. */
const unkept = z.object({ path: z.string(), why: z.enum(['too_large', 'unreadable', 'folder', 'device']) });

const journalRecord = z.object({
  format: z.literal(1),
  /** emend's version. */
  emend: z.string(),
  /** ISO 8601. */
  time: z.string(),
  /** What the paths are relative to. */
  root: z.string(),
  session: z.string(),
  /** As it was called, which tells the dialect. */
  called: z.string(),
  tool: z.string(),
  receipt: z.string(),
  ok: z.boolean(),
  code: z.string().optional(),
  /** The arguments as JSON and the text of the result, kept under their hashes. */
  args: sha256,
  result: sha256,
  /** UTF-8 bytes of the result, before and after it was cut. */
  bytes: z.object({ whole: z.number(), shown: z.number() }),
  /** What the call looked at before it did anything. */
  looked: z.array(looked),
  /** What else it looked at. */
  unkept: z.array(unkept).optional(),
  /** What a command left where it changed something, as far as a look of bounded length could tell. */
  left: z
    .object({
      files: z.array(looked),
      unkept: z.array(unkept),
      /** Whether the look saw everything that it looks for. */
      complete: z.boolean(),
    })
    .optional(),
  files: z.array(
    z.object({
      path: z.string(),
      op: z.enum(['edit', 'create', 'delete', 'move']),
      from: z.string().optional(),
      before: sha256.nullable(),
      after: sha256.nullable(),
      matched_via: z.string().optional(),
    }),
  ),
  dry_run: z.literal(true).optional(),
  /** Of an Undo: the receipt of what it took back. */
  undoes: z.string().optional(),
  ms: z.number(),
  /** Milliseconds that were waited for diagnostics, who was asked, and how many findings came and went. */
  diagnostics: z
    .object({
      state: z.string(),
      ms: z.number(),
      introduced: z.number(),
      fixed: z.number(),
      servers: z.array(
        z.object({
          name: z.string(),
          version: z.string().nullable(),
          state: z.string(),
          /** Of `ms`, what was waited for this one; servers are waited for side by side. */
          waited_ms: z.number().optional(),
        }),
      ),
    })
    .optional(),
  /** Findings of earlier calls that came too late for them, and were told with this one. */
  late: z.array(z.object({ receipt: z.string(), introduced: z.number(), fixed: z.number() })).optional(),
});

/** What was at a path; `null`: no file. */
export type SeenFile = z.infer<typeof looked>;

/** A changed file whose content was not kept, and why: Undo cannot bring it back. */
export type UnkeptFile = z.infer<typeof unkept>;

/** One call, as the journal keeps it. */
export type JournalRecord = z.infer<typeof journalRecord>;

/** What the journal is told of a call. */
interface JournaledCall
  extends Pick<JournalRecord, 'emend' | 'time' | 'root' | 'session' | 'called' | 'args' | 'result' | 'looked'> {
  readonly receipt: Receipt;
  readonly unkept?: JournalRecord['unkept'];
  readonly left?: JournalRecord['left'];
  readonly shownBytes: number;
}

/** A call as its record. */
export function journalRecordOf(call: JournaledCall): JournalRecord {
  const { receipt } = call;
  const { emend, time, root, session, called, args, result } = call;
  const cut = receipt.files.reduce((sum, file) => sum + (file.diff_cut ?? 0), receipt.left_out ?? 0);
  return {
    format: 1,
    ...{ emend, time, root, session, called },
    tool: receipt.tool,
    receipt: receipt.id,
    ok: receipt.ok,
    ...(receipt.code !== undefined && { code: receipt.code }),
    args,
    result,
    bytes: { whole: call.shownBytes + cut, shown: call.shownBytes },
    looked: call.looked,
    ...(call.unkept && call.unkept.length > 0 && { unkept: call.unkept }),
    ...(call.left && { left: call.left }),
    files: receipt.files.map((file) => ({
      path: file.path,
      op: file.op,
      ...(file.from !== undefined && { from: file.from }),
      before: file.sha256.before,
      after: file.sha256.after,
      ...(file.matched_via !== undefined && { matched_via: file.matched_via }),
    })),
    ...(receipt.dry_run && { dry_run: true }),
    ...(receipt.undoes !== undefined && { undoes: receipt.undoes }),
    ms: receipt.ms,
    ...(receipt.diagnostics && {
      diagnostics: {
        state: receipt.diagnostics.state,
        ms: receipt.diagnostics.ms,
        introduced: receipt.diagnostics.introduced.length,
        fixed: receipt.diagnostics.fixed.length,
        servers: receipt.diagnostics.servers.map(({ name, version, state, waitedMs }) => ({
          ...{ name, version, state },
          ...(waitedMs !== undefined && { waited_ms: waitedMs }),
        })),
      },
    }),
    ...(receipt.reflow && {
      late: receipt.reflow.map((each) => ({
        receipt: each.receipt,
        introduced: each.introduced.length,
        fixed: each.fixed.length,
      })),
    }),
  };
}

/** Reads one line of a journal; `undefined` for what is no record of this format. */
export function parseJournalLine(line: string): JournalRecord | undefined {
  try {
    const parsed = journalRecord.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // A line that was cut short when its process died.
    return undefined;
  }
}
