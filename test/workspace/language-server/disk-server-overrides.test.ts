import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { diskServerMachine } from '../../../src/workspace/language-server/disk-server-machine.ts';
import {
  ignoredServersFile,
  isTrusted,
  projectServersFile,
  serverDefinitionsFor,
  setTrust,
  trustedFolders,
  userServersFile,
} from '../../../src/workspace/language-server/disk-server-overrides.ts';
import { findPackage } from '../../../src/workspace/language-server/server-machine.ts';

const MINE = { languages: ['plaintext'], places: [{ from: 'path', command: 'm' }], diagnostics: { kind: 'pull' } };
let folder: string;
let root: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-config-')));
  root = join(folder, 'work/project');
  mkdirSync(root, { recursive: true });
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function save(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

async function namesFor(options: { readonly untrusted?: true } = {}): Promise<readonly string[]> {
  return (await serverDefinitionsFor(root, options)).map(({ name }) => name);
}

describe('the servers that hold for a root', () => {
  test('are the catalogue, with what a person says in their own file', async () => {
    expect(await namesFor()).toContain('pyright');
    save(userServersFile(), { pyright: 'off', mine: MINE, gopls: { settings: { gopls: { x: 1 } } } });
    expect(await namesFor()).not.toContain('pyright');
    expect(await namesFor()).toContain('mine');
    const gopls = (await serverDefinitionsFor(root)).find(({ name }) => name === 'gopls');
    expect(gopls).toMatchObject({ settings: { gopls: { x: 1 } }, languages: ['go', 'go.mod', 'go.work'] });
    save(userServersFile(), { '*': 'off' });
    expect(await namesFor()).toEqual([]);
  });

  test('have nothing of the project until it or a folder above it is trusted, and say which file is ignored', async () => {
    expect(await ignoredServersFile(root)).toBeUndefined();
    save(projectServersFile(root), { pyright: 'off', theirs: MINE });
    expect(await namesFor()).toContain('pyright');
    expect(await namesFor()).not.toContain('theirs');
    expect(await ignoredServersFile(root)).toBe(projectServersFile(root));

    await setTrust(dirname(root), 'trusted');
    expect([await isTrusted(root), await isTrusted(folder)]).toEqual([true, false]);
    expect(await namesFor()).not.toContain('pyright');
    expect(await namesFor()).toContain('theirs');
    expect(await ignoredServersFile(root)).toBeUndefined();

    await setTrust(dirname(root), 'untrusted');
    expect(await trustedFolders()).toEqual([]);
    expect(await namesFor()).not.toContain('theirs');
  });

  test('untrusted, have neither what runs code of the project nor its own programs, trusted or not', async () => {
    save(projectServersFile(root), { theirs: MINE });
    await setTrust(root, 'trusted');
    const definitions = await serverDefinitionsFor(root, { untrusted: true });
    const names = definitions.map(({ name }) => name);
    expect(names).toContain('pyright');
    expect(names).not.toContain('eslint');
    expect(names).not.toContain('theirs');
    expect(definitions.flatMap(({ places }) => places).filter(({ from }) => from === 'project')).toEqual([]);
  });

  test.each(['/dev/zero', '/etc/passwd', 'nothing'])(
    'a project that is not trusted can not have %s read as its servers',
    async (target) => {
      const names = await namesFor();
      mkdirSync(join(root, '.emend'));
      symlinkSync(target, projectServersFile(root));
      expect(await namesFor()).toEqual(names);
      await setTrust(root, 'trusted');
      if (target === 'nothing') expect(await namesFor()).toEqual(names);
      else await expect(namesFor()).rejects.toThrow(/servers\.json is (?:no ordinary file\.|not JSON:) /);
    },
  );

  test('a manifest that is a link to a device is none', async () => {
    mkdirSync(join(root, 'node_modules/typescript'), { recursive: true });
    symlinkSync('/dev/zero', join(root, 'node_modules/typescript/package.json'));
    expect(await findPackage(diskServerMachine(), root, 'typescript')).toBeUndefined();
  });

  test.each([
    ['{', /servers\.json is not JSON: .*Mend or remove the file\.$/],
    ['[]', /servers\.json holds no JSON object\. Mend or remove the file\.$/],
    ['{"mine":{}}', /servers\.json: mine\.languages is nothing\. .*Mend or remove the file\.$/],
  ])('a file that holds %s is refused by its name', async (text, message) => {
    save(userServersFile(), text);
    await expect(serverDefinitionsFor(root)).rejects.toThrow(message);
  });
});
