import { describe, expect, test } from 'vitest';
import { doctor } from '../../src/diagnostics/doctor.ts';
import { fixtureProject, TSCONFIG } from '../support/fixture-project.ts';

describe('doctor', () => {
  test.each([
    [undefined, 'typescript-native', 'bundled', undefined],
    ['typescript-7', 'typescript-native', 'project', 'typescript 7.0.2'],
    ['typescript', 'typescript-language-server', 'bundled', 'typescript 6.0.3'],
    ['typescript-5', 'typescript-language-server', 'bundled', 'typescript 5.9.3'],
  ] as const)('with %s installed, TypeScript is served by %s', async (typescript, name, foundIn, version) => {
    const project = fixtureProject({ 'tsconfig.json': TSCONFIG }, typescript ? { typescript } : {});
    const survey = await doctor({ root: project.root });
    project.remove();
    const serving = survey.filter((one) => one.languages.includes('typescript'));
    expect(serving).toHaveLength(1);
    expect(serving[0]).toMatchObject({
      status: 'found',
      name,
      foundIn,
      root: project.root,
      state: { status: 'stopped' },
    });
    expect(serving[0]).toHaveProperty('argv.0', expect.stringMatching(/^\//));
    expect(serving[0] && 'project' in serving[0] ? serving[0].project : undefined).toBe(version);
  });

  test('a file is served as its own folder decides', async () => {
    const project = fixtureProject({ 'web/package.json': '{"workspaces":[]}', 'web/a.ts': '', 'pyproject.toml': '' });
    const [only, ...more] = await doctor({
      root: project.root,
      file: { path: project.path('web/a.ts'), languageId: 'typescript' },
    });
    project.remove();
    expect(more).toEqual([]);
    expect(only).toMatchObject({ status: 'found', root: project.path('web') });
  });
});
