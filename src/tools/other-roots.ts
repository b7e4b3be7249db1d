import type { ToolCall } from './tool.ts';

/**
 * What a search that named no path leaves out where there are several roots: it starts from the first, and a "none" of
 * that one must not pass for all of them. Empty where nothing is left out.
 */
export function otherRootsNote(call: ToolCall, path: string | undefined): readonly string[] {
  if (path !== undefined && path !== '') return [];
  const { confinement, root } = call.session.root;
  const others = confinement.roots.filter((other) => other !== root && !other.startsWith(`${root}/`));
  return others.length === 0 ? [] : [`not searched: ${others.join(', ')}, name it with path`];
}
