import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ServerDefinition, serverDefinitionSchema } from './server-definition.ts';

let shipped: Promise<readonly ServerDefinition[]> | undefined;

/** The definitions in emend's own `servers/*.json`, in the order of their names, read once. */
export function shippedServerDefinitions(): Promise<readonly ServerDefinition[]> {
  shipped ??= findServersFolder().then(readServerDefinitions);
  return shipped;
}

/**
 * The definitions in a folder's `*.json`.
 * @throws Error naming the file and the member that the schema refuses
 */
async function readServerDefinitions(folder: string): Promise<readonly ServerDefinition[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => {
      const parsed = serverDefinitionSchema.safeParse(JSON.parse(await readFile(join(folder, name), 'utf8')));
      if (parsed.success) return parsed.data;
      const issue = parsed.error.issues[0];
      throw new Error(`${join(folder, name)}: ${issue?.path.join('.')}: ${issue?.message}. Mend or remove the file.`);
    }),
  );
}

/** Sources and the built package lie at different depths below the folder that holds `servers`. */
async function findServersFolder(): Promise<string> {
  for (let folder = import.meta.dirname; dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
    if ((JSON.parse(manifest) as { name?: unknown }).name === 'emend') return join(folder, 'servers');
  }
  throw new Error(`emend's package was not found above ${import.meta.dirname}. Install it anew.`);
}
