import type { z } from 'zod';
import type { UnkeptFile } from '../broker/journal-record.ts';
import type { Receipt } from '../broker/receipt.ts';
import type { Session } from '../broker/session.ts';

/** A verb that any host can offer. Its arguments have been parsed by `args` before `run` sees them. */
export interface Tool<Args extends z.ZodObject = z.ZodObject> {
  /** As models know it: `Edit`. */
  readonly name: string;
  /** What a model reads to decide whether to call it. Every token is paid for in each turn. */
  readonly description: string;
  readonly args: Args;
  readonly hints: ToolHints;
  /** Of a tool under the names of another family: ours, by which receipts and what is repeated are told. */
  readonly own?: OwnNames;
  run(args: z.infer<Args>, call: ToolCall): Promise<ToolResult>;
}

/** What a renamed tool is called among ours. */
export interface OwnNames {
  readonly name: string;
  /** Its arguments under our names. */
  argsOf(args: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** MCP's annotations. */
interface ToolHints {
  readonly readOnlyHint?: true;
  readonly destructiveHint?: true;
  readonly idempotentHint?: true;
  readonly openWorldHint?: true;
}

/** Who calls, and how to stop it. */
export interface ToolCall {
  readonly session: Session;
  readonly signal?: AbortSignal;
  /** Told now and then how a long call is getting on. */
  readonly onProgress?: (message: string) => void;
  /**
   * The caller gives up after this many milliseconds: what may take longer answers before with how it can be asked for
   * again. Absent: the caller waits.
   */
  readonly answerWithinMs?: number;
  /** Answers name the symbols that lines lie in, where servers that run say so at once. */
  readonly symbols?: 'shown';
}

/** What a call came to: the text that the model reads, and the receipt for programs. */
export interface ToolResult {
  readonly ok: boolean;
  readonly text: string;
  readonly receipt: Receipt;
  readonly images?: readonly { readonly mimeType: string; readonly base64: string }[];
  /** For the journal alone: the files that the call looked at. */
  readonly looked?: readonly LookedAt[];
}

/** What was at a path, which is relative to the root where it lies inside. */
export type LookedAt =
  /** Of its bytes, in hex; they are kept already, or not needed. `null`: there was no file. */
  | { readonly path: string; readonly sha256: string | null }
  /** The journal keeps them. */
  | { readonly path: string; readonly bytes: Uint8Array }
  | UnkeptFile;

/** Gives a tool its type from its schema. */
export function defineTool<Args extends z.ZodObject>(tool: Tool<Args>): Tool<Args> {
  return tool;
}
