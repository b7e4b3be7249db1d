import * as z from 'zod';
import { type ServerDefinition, serverDefinitionSchema } from './server-definition.ts';

/** `off`, or members that take the place of the shipped ones; for a server that emend does not ship, a whole definition. */
const overridesSchema = z.record(z.string(), z.union([z.literal('off'), z.record(z.string(), z.unknown())]));

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
  if (!parsed.success) throw wrong(file, parsed.error);
  const { '*': all, ...byName } = parsed.data;
  if (all !== undefined && all !== 'off') throw new Error(`${file}: *: only "off" can be said of all. Mend the file.`);
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
  throw wrong(file, parsed.error, name);
}

function wrong(file: string, error: z.ZodError, name?: string): Error {
  const [issue] = error.issues;
  const member = [...(name === undefined ? [] : [name]), ...(issue?.path ?? [])].join('.');
  return new Error(`${file}: ${member}: ${issue?.message}. Mend or remove the file.`);
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
