import { expect, test } from 'vitest';
import { SOAK_LANGUAGES } from '../support/soak-language.ts';
import { walkTools } from '../support/tools-walk.ts';

test.each(SOAK_LANGUAGES.filter(({ name }) => name === 'TypeScript 7'))(
  'files that are changed, made, moved, deleted and undone by the tools: what is told is what a compiler finds, in $name',
  { timeout: 240_000 },
  async (language) => {
    expect((await walkTools(language, { seed: 3, calls: 18, files: 20 })).wrong).toEqual([]);
  },
);
