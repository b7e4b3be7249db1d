import { cutLine } from '../workspace/truncation.ts';
import { DIALECTS } from './dialects.ts';
import type { Tool } from './tool.ts';
import { defaultTools, optionalTools } from './tools.ts';

/** UTF-16 units of a name that is told back. */
const MAX_SHOWN = 100;

/**
 * Says of a tool that is not among those that are offered what it is called here, or how it is switched on where we
 * have it, or else what there is. A name that models of any family know counts as ours.
 */
export function unknownTool(tools: readonly Tool[], wanted: string): string {
  const names = tools.map(({ name }) => name);
  const ours = OUR_NAMES.get(wanted.toLowerCase());
  const shown = JSON.stringify(cutLine(wanted, MAX_SHOWN).text);
  if (ours === undefined) return `no tool ${shown}. There are ${names.join(', ')}.`;
  const offered = names.find((name) => OUR_NAMES.get(name.toLowerCase()) === ours);
  if (offered !== undefined) return `no tool ${shown} here: it is called ${offered}.`;
  return `${wanted} is not switched on here; whoever starts emend can do it: --tools ${[...names, ours].join(',')}.`;
}

/** In lower case, by our names and by those that families know. */
const OUR_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.values(DIALECTS).flatMap((dialect) =>
    Object.entries(dialect ?? {}).map(([ours, { name }]) => [name.toLowerCase(), ours] as const),
  ),
  ...[...defaultTools, ...optionalTools].map(({ name }) => [name.toLowerCase(), name] as const),
]);
