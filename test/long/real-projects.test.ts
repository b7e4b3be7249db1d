import { describe, test } from 'vitest';
import { checkRealProject, REAL_PROJECT_CASES } from '../support/real-project-cases.ts';

describe('a project of hundreds of files that others wrote', () => {
  test.each(REAL_PROJECT_CASES)(
    '$name: edits are told what they broke and mended, old errors are only counted',
    checkRealProject,
  );
});
