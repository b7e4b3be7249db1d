import { readFileSync } from 'node:fs';

/** emend's own version, as its package says. */
export const version: string = versionIn(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

function versionIn(manifest: string): string {
  const { version } = JSON.parse(manifest) as { readonly version?: unknown };
  if (typeof version !== 'string') throw new Error("emend's package.json has no version. Install it anew.");
  return version;
}
