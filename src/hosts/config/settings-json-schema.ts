import { toJSONSchema } from 'zod';
import { serverDefinitionSchema } from '../../workspace/language-server/server-definition.ts';
import { DEFAULT_SETTINGS, settingsSchema } from './settings.ts';

/**
 * The JSON schema of a file of settings, as it is shipped in `config.schema.json`: each setting with its description and
 * what it is by default, and the members of a server.
 */
export function settingsJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = toJSONSchema(settingsSchema, { io: 'input', target: 'draft-7' });
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, withDefault(name, property)]),
  );
  const {
    $schema: _,
    additionalProperties,
    ...server
  } = toJSONSchema(serverDefinitionSchema.partial(), {
    io: 'input',
    target: 'draft-7',
  });
  const servers = {
    description: properties.servers?.description,
    default: {},
    type: 'object',
    additionalProperties: { anyOf: [{ const: 'off' }, { ...server, additionalProperties }] },
  };
  return {
    $schema: schema.$schema,
    title: 'Settings of emend',
    description: 'emend.config.json, the emend member of package.json, and ~/.config/emend/config.json',
    type: 'object',
    properties: { ...properties, servers },
    additionalProperties: false,
  };
}

function withDefault(name: string, property: unknown): Readonly<Record<string, unknown>> {
  const shown = property as Record<string, unknown>;
  const standard = (DEFAULT_SETTINGS as Readonly<Record<string, unknown>>)[name];
  return standard === undefined ? shown : { ...shown, default: standard };
}
