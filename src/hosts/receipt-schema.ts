/** The output schema of every tool under `--structured`: what any receipt has; the rest is as the tool wants it. */
export const RECEIPT_SCHEMA = {
  type: 'object' as const,
  properties: {
    id: { type: 'string' as const },
    tool: { type: 'string' as const },
    ok: { type: 'boolean' as const },
    ms: { type: 'number' as const },
    files: { type: 'array' as const, items: { type: 'object' as const } },
  },
  required: ['id', 'tool', 'ok', 'ms', 'files'],
};
