import * as z from 'zod';
import { nearestName } from '../nearest-name.ts';
import { shortened } from '../truncation.ts';
import { type ServerDefinition, serverDefinitionSchema } from './server-definition.ts';

/** `off`, or members that take the place of the shipped ones; for a server that emend does not ship, a whole definition. */
const overridesSchema = z.record(
  z.string(),
  z.union([z.literal('off'), z.record(z.string(), z.unknown())], {
    error: 'Give "off", or an object with members of a server definition',
  }),
);
/** More of a wrong value says nothing. */
const MAX_VALUE = 60;

/**
 * The definitions with a person's own over them: `{ "pyright": "off", "mine": { "languages": …, … } }`. `"*": "off"`
 * switches off all that the same file does not define.
 * @throws Error naming `file` and the member that is wrong
 */
export function overrideDefinitions(
  shipped: readonly ServerDefinition[],
  overrides: unknown,
  file: string,
): readonly ServerDefinition[] {
  const parsed = overridesSchema.safeParse(overrides);
  if (!parsed.success) throw wrong(file, parsed.error, overrides);
  const { '*': all, ...byName } = parsed.data;
  if (all !== undefined && all !== 'off') {
    throw new Error(`${file}: * is ${shown(all)}. Only "off" can be said of all. Mend the file.`);
  }
  const names = [...shipped.map(({ name }) => name), ...Object.keys(byName).filter((name) => byName[name] !== 'off')];
  for (const [name, own] of Object.entries(byName)) {
    if (own !== 'off' || names.includes(name)) continue;
    // A name unlike all others may be of a server that only some of the file's readers have.
    const meant = nearestName(name, names);
    if (meant === undefined) continue;
    throw new Error(
      `${file}: ${shown(name)} is "off", and no server has that name. Did you mean ${meant}? Mend the file.`,
    );
  }
  const kept = shipped.filter(({ name }) => byName[name] !== 'off' && (all === undefined || name in byName));
  const isShipped = (name: string): boolean => shipped.some((one) => one.name === name);
  const changed = kept.map((definition) => {
    const own = byName[definition.name];
    return own === undefined || own === 'off' ? definition : read(definition.name, { ...definition, ...own }, file);
  });
  const added = Object.entries(byName).flatMap(([name, own]) =>
    own === 'off' || isShipped(name) ? [] : [read(name, { install: '(your own)', verified: 'never', ...own }, file)],
  );
  return [...changed, ...added];
}

function read(name: string, definition: Readonly<Record<string, unknown>>, file: string): ServerDefinition {
  const parsed = serverDefinitionSchema.safeParse({ ...definition, name });
  if (parsed.success) return parsed.data;
  throw wrong(file, parsed.error, definition, name);
}

function wrong(file: string, error: z.ZodError, given: unknown, name?: string): Error {
  const [issue] = error.issues;
  const path = issue?.path ?? [];
  const member = [...(name === undefined ? [] : [name]), ...path].join('.');
  // Of a member that is not known the message has the name.
  const is = issue?.code === 'unrecognized_keys' ? '' : ` is ${shown(valueAt(given, path))}`;
  return new Error(`${file}: ${member}${is}. ${issue?.message}. Mend or remove the file.`);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return shortened(text, MAX_VALUE);
}

/**
 * What is left where nothing of the project may run: not its own programs, nor servers that run its code, nor its
 * TypeScript or Python in those that are left.
 */
export function withoutProjectCode(definitions: readonly ServerDefinition[]): readonly ServerDefinition[] {
  return definitions
    .filter(({ runsProjectCode }) => !runsProjectCode)
    .map(({ reportsVersion, ...definition }) => ({
      ...definition,
      // Which version the project has says nothing of the one that is used then.
      ...(reportsVersion !== undefined && !definition.project && { reportsVersion }),
      places: definition.places.filter(({ from }) => from !== 'project'),
      ...withOwnPrograms(definition),
    }))
    .filter(({ places }) => places.length > 0);
}

/** Where the project's own programs would stand: emend's own TypeScript instead, or nothing. */
function withOwnPrograms({ settings, initializationOptions, project }: ServerDefinition) {
  const own = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value).replace(/\$\{(typescript|python|project)\}/g, (_all, name: string) => {
        const program = name === 'project' ? project?.package : name;
        return program === 'typescript' ? `\${ownTypescript}` : `\${none}`;
      }),
    ) as T;
  return {
    settings: own(settings),
    ...(initializationOptions && { initializationOptions: own(initializationOptions) }),
  };
}
