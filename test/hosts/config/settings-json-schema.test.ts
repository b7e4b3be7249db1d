import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { LOOP_GATE_OPTIONS } from '../../../src/broker/loop-gate-options.ts';
import { defaultSessionOptions } from '../../../src/broker/session.ts';
import { DEFAULT_SETTINGS, SETTING_NAMES, settingsSchema } from '../../../src/hosts/config/settings.ts';
import { settingsJsonSchema } from '../../../src/hosts/config/settings-json-schema.ts';
import { DIALECT_NAMES } from '../../../src/tools/dialects.ts';

const repository = join(import.meta.dirname, '../../..');

test('the schema that is shipped is the one of the definition (npm run schema writes it)', () => {
  const shipped = readFileSync(join(repository, 'config.schema.json'), 'utf8');
  expect(shipped).toBe(`${JSON.stringify(settingsJsonSchema(), undefined, 2)}\n`);
  const { files } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { files: string[] };
  expect(files).toContain('config.schema.json');
});

test('the schema takes what the definition takes, and refuses what it refuses', () => {
  const byJson = z.fromJSONSchema(settingsJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
  const samples: unknown[] = [
    DEFAULT_SETTINGS,
    { $schema: 'x', servers: { pyright: 'off', mine: { languages: ['x'] } } },
    { snipet: 1 },
    { waitCold: '3' },
    { waitCold: -1 },
    { tools: 'Read' },
    { deny: [''] },
    { servers: { x: 3 } },
  ];
  for (const sample of samples) {
    expect([sample, byJson.safeParse(sample).success]).toEqual([sample, settingsSchema.safeParse(sample).success]);
  }
});

test('each setting has a description, and defaults are those of the program', () => {
  const { properties } = settingsJsonSchema() as { properties: Record<string, { description?: string }> };
  expect(SETTING_NAMES.filter((name) => !properties[name]?.description)).toEqual([]);
  expect(settingsSchema.shape.dialect.unwrap().options).toEqual([...DIALECT_NAMES]);
  const { failures, notes, nearFailures } = LOOP_GATE_OPTIONS;
  expect(DEFAULT_SETTINGS).toMatchObject({ loopFailures: failures, loopNotes: notes, loopNear: nearFailures });
  const { snippet, diagnosticsBudgetMs, strictWrite } = defaultSessionOptions;
  expect(DEFAULT_SETTINGS).toMatchObject({ snippet, waitCold: diagnosticsBudgetMs, strictWrite });
});
