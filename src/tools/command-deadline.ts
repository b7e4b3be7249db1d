/** Milliseconds that a command may take where its caller says nothing, and at most. */
export const COMMAND_MS = { default: 120_000, most: 600_000 } as const;

/**
 * How long a command may take, in milliseconds; what is no length of time counts as not said. `undefined`: one that
 * runs in the background has no end of its own.
 */
export function commandDeadline(timeout: number | undefined, where: 'here' | 'in_background'): number | undefined {
  if (timeout !== undefined && timeout > 0) return Math.min(timeout, COMMAND_MS.most);
  return where === 'here' ? COMMAND_MS.default : undefined;
}
