import { expect, test } from 'vitest';
import { SOAK_LANGUAGES } from '../support/soak-language.ts';
import { walkTools } from '../support/tools-walk.ts';

const SEED = Number(process.env.EMEND_SEED ?? 1);
const CALLS = Number(process.env.EMEND_SOAK_EDITS ?? 300);
const FILES = Number(process.env.EMEND_SOAK_FILES ?? 60);

test.each(SOAK_LANGUAGES.filter(({ name }) => new RegExp(process.env.EMEND_SOAK ?? '').test(name)))(
  'what a call is told to have introduced and fixed is what a compiler finds, in $name',
  { timeout: 7_200_000 },
  async (language) => {
    const { calls, wrong } = await walkTools(language, { seed: SEED, calls: CALLS, files: FILES });
    console.log(`${language.name}: ${calls} calls, ${wrong.length} told wrongly`);
    expect(wrong).toEqual([]);
  },
);
