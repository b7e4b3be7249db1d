import type { Resolution, ResolvedServer } from './resolve-server.ts';

/** Of the definitions for one file, those that serve it, and those that would if they were installed. */
export interface ChosenServers {
  readonly resolved: readonly ResolvedServer[];
  readonly missing: readonly Extract<Resolution, { readonly status: 'missing' }>[];
}

/**
 * All that are found serve the file together, but for those that another takes the place of. What is missing counts only
 * where nothing but checkers serves it.
 */
export function chooseServers(resolutions: readonly Resolution[]): ChosenServers {
  const resolved = servingServers(resolutions);
  const isServed = resolved.some(({ definition }) => !definition.checker);
  return { resolved, missing: isServed ? [] : missingServers(resolutions) };
}

/** Those that are found, but for what another takes the place of. */
export function servingServers(resolutions: readonly Resolution[]): readonly ResolvedServer[] {
  const found = resolutions.flatMap((one) => (one.status === 'found' ? [one.server] : []));
  const replaced = new Set(found.flatMap(({ definition }) => definition.insteadOf));
  return found.filter(({ definition }) => !replaced.has(definition.name));
}

/** Those that are not installed; nobody misses a checker. */
export function missingServers(resolutions: readonly Resolution[]): ChosenServers['missing'] {
  return resolutions.flatMap((one) => (one.status === 'missing' && !one.definition.checker ? [one] : []));
}
