import { describe, test } from 'vitest';
import { checkRealProject, REAL_PROJECT_CASES } from '../support/real-project-cases.ts';

// The two others, whose servers need longer to load so much, are checked by `npm run test:long`.
const QUICK = REAL_PROJECT_CASES.filter(({ name }) => /TypeScript 7|Django/.test(name));

describe('a project of hundreds of files that others wrote', { timeout: 180_000 }, () => {
  test.each(QUICK)('$name: edits are told what they broke and mended, old errors are only counted', checkRealProject);
});
