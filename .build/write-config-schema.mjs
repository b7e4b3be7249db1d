import { writeFile } from 'node:fs/promises';
import { settingsJsonSchema } from '../dist/hosts/config/settings-json-schema.js';

/** Writes the schema of the settings that the package ships, after the library was built. */
await writeFile(
  new URL('../config.schema.json', import.meta.url),
  `${JSON.stringify(settingsJsonSchema(), undefined, 2)}\n`,
);
