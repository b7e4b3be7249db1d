import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { doctor } from '../../src/hosts/doctor.ts';
import { installServer } from '../../src/hosts/install-server.ts';
import { trust } from '../../src/hosts/trust.ts';
import { serverDefinitionSchema } from '../../src/workspace/language-server/server-definition.ts';
import { makeProject } from '../support/project.ts';

let folder: string;
let said: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-config-')));
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  said = '';
  const listen = (text: unknown): boolean => {
    said += String(text);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(listen);
  vi.spyOn(process.stderr, 'write').mockImplementation(listen);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe('emend doctor', () => {
  test('tells of the languages of the root, of which data and prose need no server', async () => {
    const project = makeProject({ 'a.py': '', 'package.json': '{}', 'README.md': '', 'node_modules/x/a.zig': '' });
    expect(await doctor(undefined, { root: [project.root] })).toBe(0);
    expect(said).toMatch(/^ok {6}pyright 1\.1\.414 \(bundled\): python$/m);
    expect(said).not.toMatch(/zig|missing/);
    expect(said.split('\n').length).toBeLessThan(10);
  });

  test('ends with 1 where a language of the root, or the file that is named, has no server', async () => {
    const project = makeProject({ 'a.elm': '', 'a.py': '', 'a.pl': '' });
    expect(await doctor(undefined, { root: [project.root] })).toBe(1);
    expect(said).toMatch(/^missing elm \(1 file\)\n {8}elm: .+$/m);
    expect(said).toMatch(/^missing perl \(1 file\): no server of the catalogue speaks it$/m);
    expect(await doctor('a.py', { root: [project.root] })).toBe(0);
    expect(await doctor('a.pl', { root: [project.root] })).toBe(1);
  });

  test('says that a servers file of a project which is not trusted is ignored', async () => {
    const project = makeProject({ '.emend/servers.json': '{"pyright":"off"}', 'a.py': '' });
    expect(await doctor('a.py', { root: [project.root] })).toBe(0);
    expect(said).toContain(`ignored ${project.root}/.emend/servers.json: the project is not trusted (emend trust`);
    await trust(project.root, {});
    said = '';
    await doctor('a.py', { root: [project.root] });
    expect(said).not.toMatch(/ignored|pyright 1/);
  });
});

describe('emend doctor --install', () => {
  test('names what can be installed where there is no such server', async () => {
    await expect(doctor(undefined, { install: 'nothing' })).rejects.toThrow(
      /^--install nothing: no such server\. These can be installed: .*yaml/,
    );
  });

  test('says how to get what npm does not have, and installs nothing', async () => {
    expect(await doctor(undefined, { install: 'gopls' })).toBe(1);
    expect(said).toMatch(/^emend: gopls is not an npm package\. Install it yourself: .*gopls/);
  });

  test('refuses where this Node is too old for every version', async () => {
    const definition = serverDefinitionSchema.parse({
      name: 'new',
      languages: ['plaintext'],
      places: [{ from: 'installed', package: 'new', entry: 'x.js', runtime: 'node' }],
      diagnostics: { kind: 'pull' },
      npm: [
        { node: 99, packages: ['new@2.0.0'] },
        { node: 98, packages: ['new@1.0.0'] },
      ],
      install: 'emend doctor --install new',
      verified: 'never',
    });
    expect(await installServer(definition, { folder, nodeVersion: 'v20.1.0' })).toEqual({
      status: 'not_installed',
      reason: 'new needs Node 98, this is v20.1.0. Run emend with a newer one.',
    });
  });
});
