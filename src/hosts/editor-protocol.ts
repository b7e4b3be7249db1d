import * as z from 'zod';

/**
 * What the front of an editor (`emend lsp`) and resident processes say to each other, as JSON-RPC with LSP's framing.
 * The front listens and every resident process of the user comes to it: so no process can miss what is open, whichever
 * was first, and also one that takes the place of another that was killed.
 */
export const EDITOR = {
  /** To a resident, on its own socket: an editor has come. Answered when its buffers are there. */
  look: 'emend/editor/look',
  /** To the front: what is open? All further news follow the answer. */
  attach: 'emend/editor/attach',
  opened: 'emend/editor/opened',
  changed: 'emend/editor/changed',
  closed: 'emend/editor/closed',
  /** What the editor's own servers say of a buffer. */
  diagnosed: 'emend/editor/diagnosed',
  /** To the front: make this edit. Its yes is a hint. */
  applyEdit: 'emend/editor/applyEdit',
  /** To a resident: take the last change back. */
  undo: 'emend/editor/undo',
  /** To the front: who is there, and what was changed last. */
  activity: 'emend/editor/activity',
} as const;

/** A buffer; `version` is the front's own count, one more with each change that the editor told. */
export const bufferSchema = z.object({ uri: z.string(), path: z.string(), text: z.string(), version: z.number() });

/** An open buffer; `version` is the editor's. */
export type EditorBuffer = z.infer<typeof bufferSchema>;

/** UTF-16 offsets. */
const spanEditSchema = z.object({ start: z.number(), end: z.number(), newText: z.string() });

/** Each step speaks of the text after the one before. */
export const changedSchema = z.object({ uri: z.string(), steps: z.array(spanEditSchema), version: z.number() });

const position = z.object({ line: z.number(), character: z.number() });

/** Findings of the text at `version`, as in LSP. */
export const diagnosedSchema = z.object({
  uri: z.string(),
  version: z.number(),
  diagnostics: z.array(
    z.object({
      range: z.object({ start: position, end: position }),
      severity: z.number().optional(),
      code: z.union([z.string(), z.number()]).optional(),
      message: z.string(),
      source: z.string().optional(),
    }),
  ),
});

/** The editor's own findings for one file. */
export type Diagnosed = z.infer<typeof diagnosedSchema>;

/** What an editor says of itself when it joins a resident. */
export const attachedSchema = z.object({
  /** As the editor names itself. */
  name: z.string(),
  /** Whether its own findings are the ones that count, or emend's own servers run. */
  diagnostics: z.enum(['editor', 'own']),
  /** The folders that it works in; real paths. */
  folders: z.array(z.string()),
  buffers: z.array(bufferSchema),
  diagnosed: z.array(diagnosedSchema),
});

/** What an editor says of itself, checked. */
export type Attached = z.infer<typeof attachedSchema>;

/** Edits that a resident asks an editor to make in the buffer that has this version. */
export const applyEditSchema = z.object({ uri: z.string(), version: z.number(), edits: z.array(spanEditSchema) });

/** What a person at the editor is shown. */
export const activitySchema = z.object({
  root: z.string(),
  /** Agents that are connected now. */
  fronts: z.number(),
  lastEdit: z
    .object({
      id: z.string(),
      tool: z.string(),
      /** ISO 8601. */
      time: z.string(),
      files: z.array(z.object({ path: z.string(), added: z.number(), removed: z.number(), diff: z.string() })),
    })
    .optional(),
});

/** What an editor is told of the calls on its root. */
export type Activity = z.infer<typeof activitySchema>;
