import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, describe, expect, test } from 'vitest';
import { readSettings } from '../../../src/hosts/config/read-settings.ts';
import { setTrust } from '../../../src/workspace/language-server/disk-server-overrides.ts';
import { makeProject } from '../../support/project.ts';
import { makeSettingsHome, type SettingsHome } from '../../support/settings-home.ts';

let home: SettingsHome;

beforeEach(() => {
  home = makeSettingsHome();
});

const settingsOf = async (root: string) =>
  (await readSettings([root])).layers.map(({ from, settings }) => ({ from, ...settings }));

describe('files of settings', () => {
  test('none: nothing is said', async () => {
    expect(await readSettings([makeProject({ 'package.json': '{"name":"x"}' }).root])).toEqual({
      layers: [],
      notes: [],
    });
  });

  test("the user's come first, then the project's, from its own file or its manifest", async () => {
    home.write('{"snippet":"never"}');
    const own = makeProject({ 'emend.config.json': '\uFEFF{"snippet":"always"}' });
    const manifest = makeProject({ 'package.json': '{"emend":{"snippet":"tolerant"}}' });
    expect(await settingsOf(own.root)).toEqual([
      { from: 'user', snippet: 'never' },
      { from: 'project', snippet: 'always' },
    ]);
    expect(await settingsOf(manifest.root)).toEqual([
      { from: 'user', snippet: 'never' },
      { from: 'project', snippet: 'tolerant' },
    ]);
  });

  test('a server that is defined wrongly or by halves is told at once', async () => {
    const { root } = makeProject({});
    home.write('{"servers":{"mine":{"languages":["x"]}}}');
    await expect(readSettings([root])).rejects.toThrow(
      /config\.json: mine\.places is nothing\. .*\. Mend or remove the file\.$/,
    );
    home.write('{"servers":{"pyright":{"languages":3}}}');
    await expect(readSettings([root])).rejects.toThrow(/config\.json: pyright\.languages is 3\. /);
  });

  test('of both the file counts, and it is said', async () => {
    const { root } = makeProject({
      'emend.config.json': '{"snippet":"always"}',
      'package.json': '{"emend":{"snippet":"never"}}',
    });
    const { layers, notes } = await readSettings([root]);
    expect(layers.map(({ settings }) => settings.snippet)).toEqual(['always']);
    expect(notes).toEqual([
      `${root}/emend.config.json counts, and ${root}/package.json#emend does not: there are both. Leave one`,
    ]);
  });

  test('what an untrusted project may not set is named with how to trust it, and counts then', async () => {
    const { root } = makeProject({
      'emend.config.json':
        '{"allow":["../x"],"unconfined":true,"deny":["a"],"servers":{"mine":{"languages":["x"],"places":[{"from":"path","command":"x"}],"diagnostics":{"kind":"pull"}}}}',
    });
    const before = await readSettings([root]);
    expect(before.layers[0]?.settings).toEqual({ deny: ['a'], servers: {} });
    expect(before.notes).toEqual([
      `${root}/emend.config.json: not taken, since the project is not trusted: allow, unconfined, servers.mine; trust it by: emend trust ${root}`,
    ]);
    await setTrust(root, 'trusted');
    const after = await readSettings([root]);
    expect(after.layers[0]?.settings).toEqual({
      allow: [join(root, '../x')],
      unconfined: true,
      deny: ['a'],
      servers: { mine: { languages: ['x'], places: [{ from: 'path', command: 'x' }], diagnostics: { kind: 'pull' } } },
    });
    expect(after.notes).toEqual([]);
    expect((await readSettings([root], { untrusted: true })).layers[0]?.settings).toEqual({ deny: ['a'], servers: {} });
    home.write('{"untrusted":true}');
    expect((await readSettings([root])).layers[1]?.settings).toEqual({ deny: ['a'], servers: {} });
  });

  test('of several roots the first counts, and the deny lists of all', async () => {
    const first = makeProject({ 'emend.config.json': '{"snippet":"never"}' });
    const second = makeProject({ 'emend.config.json': '{"snippet":"always","deny":["b"]}' });
    const { layers } = await readSettings([first.root, second.root]);
    expect(layers.map(({ settings }) => settings)).toEqual([{ deny: ['b'] }, { snippet: 'never' }]);
  });

  const wrong = (set: (root: string) => unknown, why: RegExp) => ({ set, why });
  test.each([
    [
      'a folder',
      wrong(
        (root) => mkdirSync(join(root, 'emend.config.json')),
        /emend\.config\.json is a folder\. Remove it, or make it a file\.$/,
      ),
    ],
    ['a pipe', wrong((root) => execa('mkfifo', [join(root, 'emend.config.json')]), /is no ordinary file\. Remove it/)],
    [
      'a link to elsewhere',
      wrong(
        (root) => symlinkSync('/etc/passwd', join(root, 'emend.config.json')),
        /is a link out of the project, to \/etc\/passwd\. Put the file itself there\.$/,
      ),
    ],
    [
      'a link to nothing',
      wrong((root) => symlinkSync('gone.json', join(root, 'emend.config.json')), /is a link to nothing\. Remove it/),
    ],
    [
      'a link to itself',
      wrong(
        (root) => symlinkSync('emend.config.json', join(root, 'emend.config.json')),
        /can't be read \(ELOOP\)\. Make it readable, or remove it\.$/,
      ),
    ],
    [
      'huge',
      wrong(
        (root) => writeFileSync(join(root, 'emend.config.json'), ' '.repeat(300_000)),
        /has 300000 bytes, and 262144 are the most that are read\. Make it smaller\.$/,
      ),
    ],
    [
      'UTF-16',
      wrong(
        (root) => writeFileSync(join(root, 'emend.config.json'), Buffer.from('\uFEFF{}', 'utf16le')),
        /is not UTF-8\. Save it as UTF-8\.$/,
      ),
    ],
  ])('%s in its place is told', async (_what, { set, why }) => {
    const { root } = makeProject({});
    await set(root);
    await expect(readSettings([root])).rejects.toThrow(why);
  });

  test('a link inside of the project is followed', async () => {
    const { root } = makeProject({ 'conf/e.json': '{"deny":["a"]}' });
    symlinkSync('conf/e.json', join(root, 'emend.config.json'));
    expect(await settingsOf(root)).toEqual([{ from: 'project', deny: ['a'] }]);
  });

  test('a manifest that is broken or odd and has no settings stops nothing', async () => {
    const odd = makeProject({});
    mkdirSync(odd.path('package.json'));
    expect(await settingsOf(odd.root)).toEqual([]);
    expect(await settingsOf(makeProject({ 'package.json': '{"dependencies":{"emend":"1"}' }).root)).toEqual([]);
    await expect(settingsOf(makeProject({ 'package.json': '{"emend":{"deny":["a"]}' }).root)).rejects.toThrow(
      /package\.json:1:24: it is not JSON/,
    );
  });

  test("paths start from the file, ~/ from the user's home", async () => {
    home.write('{"allow":["~/notes","/abs"],"deny":["~/.ssh","b"]}');
    const [user] = (await readSettings([makeProject({}).root])).layers;
    expect(user?.settings).toEqual({
      allow: [join(process.env.HOME ?? '', 'notes'), '/abs'],
      deny: [join(process.env.HOME ?? '', '.ssh'), 'b'],
    });
  });
});
