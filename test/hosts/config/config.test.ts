import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { config } from '../../../src/hosts/config/config.ts';
import { readResidentSettings } from '../../../src/hosts/config/root-settings.ts';
import { createBroker } from '../../../src/hosts/create-broker.ts';
import { joinResident } from '../../../src/hosts/join-resident.ts';
import { startResident } from '../../../src/hosts/resident.ts';
import { setTrust } from '../../../src/workspace/language-server/disk-server-overrides.ts';
import { emendFor } from '../../support/emend.ts';
import { connectMcp } from '../../support/mcp-client.ts';
import { makeProject, type Project } from '../../support/project.ts';
import { makeSettingsHome, type SettingsHome } from '../../support/settings-home.ts';

let home: SettingsHome;

beforeEach(() => {
  home = makeSettingsHome();
});

async function printed(options: Record<string, unknown>): Promise<string> {
  let said = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  try {
    expect(await config(options)).toBe(0);
  } finally {
    write.mockRestore();
  }
  return said;
}

describe('emend config', () => {
  test('prints each setting with who said so, and what does not count', async () => {
    home.write('{"snippet":"never","deny":["*.pem"]}');
    const { root } = makeProject({ 'emend.config.json': '{"dialect":"gemini","allow":["/x"],"deny":["secrets"]}' });
    const said = await printed({ root: [root], model: 'gpt-5', loopStrict: true });
    expect(said.replace(/ {2,}/g, '  ').split('\n')).toEqual(
      expect.arrayContaining([
        `user  ${home.file}`,
        `project  ${root}/emend.config.json`,
        `note: ${root}/emend.config.json: not taken, since the project is not trusted: allow; trust it by: emend trust ${root}`,
        'snippet  "never"  user',
        'model  "gpt-5"  flag',
        'loopStrict  true  flag',
        'waitCold  3000  default',
        'allow  []  default',
        `deny  ["*.pem","${home.file}","secrets","${root}/emend.config.json"]  user + project`,
      ]),
    );
  });

  test('--json is one line for programs', async () => {
    const { root } = makeProject({ 'emend.config.json': '{"snippet":"never"}' });
    await setTrust(root, 'trusted');
    const said = await printed({ root: [root], json: true });
    expect(said.split('\n')).toHaveLength(2);
    expect(JSON.parse(said)).toMatchObject({
      root,
      trusted: true,
      files: [{ from: 'project', file: `${root}/emend.config.json`, notTaken: [] }],
      settings: {
        snippet: { value: 'never', origins: [{ from: 'project', file: `${root}/emend.config.json` }] },
        tools: { value: null, origins: [{ from: 'default' }] },
      },
    });
  });

  test('every limit that is fixed is shown with its value, for people and for programs', async () => {
    const { root } = makeProject({});
    const { limits } = JSON.parse(await printed({ root: [root], json: true })) as {
      limits: Record<string, { value: number; unit: string; what: string }>;
    };
    const said = (await printed({ root: [root] })).replace(/ {2,}/g, '  ').split('\n');
    for (const [name, { value, unit, what }] of Object.entries(limits)) {
      expect(value).toBeGreaterThan(0);
      expect(said).toContain(`${name}  ${value} ${unit}  ${what}`);
    }
    expect(limits).toMatchObject({
      commandTime: { value: 120_000, unit: 'ms' },
      commandTimeMost: { value: 600_000, unit: 'ms' },
      readLines: { value: 2000, unit: 'lines' },
      readBytes: { value: 51_200, unit: 'bytes' },
      grepMatches: { value: 250 },
      globFiles: { value: 100 },
      fileBytes: { value: 256 * 1024 * 1024 },
    });
  });

  test('without a file says so; with --no-config reads none', async () => {
    const { root } = makeProject({});
    expect(await printed({ root: [root] })).toContain(`${home.file} (not there)`);
    home.write('{"snippet":"never"}');
    expect(await printed({ root: [root], config: false })).not.toContain('never');
  });
});

describe('settings in force', () => {
  const emend = (project: Project) => emendFor(project.root, home.state);

  test('a broken deny list refuses each command, and the files stay', async () => {
    const project = makeProject({ 'a.txt': 'one\n', 'emend.config.json': '{"deny": ["secrets/**"' });
    const edit = JSON.stringify({ file_path: 'a.txt', old_string: 'one', new_string: 'two' });
    const { stderr, exitCode } = await emend(project).run([
      'call',
      'Edit',
      edit,
      '--root',
      project.root,
      '--in-process',
    ]);
    expect(stderr).toMatch(
      /^emend: \S+emend\.config\.json:1:23: it is not JSON \(\w+\)\nNothing was run: mend or remove the settings\.$/,
    );
    expect(exitCode).toBe(2);
    expect(project.read('a.txt')).toBe('one\n');
  });

  test('over MCP a broken file is told to the model, and once it is mended the same connection works', async () => {
    const project = makeProject({ 'a.txt': 'one\n', 'emend.config.json': '{"snippet": "nevr"}' });
    const { client } = await connectMcp({ args: ['--root', project.root, '--in-process'] });
    const call = { name: 'Edit', arguments: { file_path: 'a.txt', old_string: 'one', new_string: 'two' } };
    const refused = await client.callTool(call);
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toMatch(/Error unavailable: .*1:13: snippet is .*nevr.*Give one of always/);
    expect(project.read('a.txt')).toBe('one\n');
    project.write('emend.config.json', '{"snippet": "never"}');
    expect(JSON.stringify((await client.callTool(call)).content)).toMatch(/"Edited a\.txt \(\+1 -1\) L1 \[e1\]"/);
  });

  test('what the files deny no tool touches, the file of the deny list included; an option adds to it', async () => {
    const project = makeProject({
      'secrets/k': 's',
      'b.pem': 's',
      'c.txt': 's',
      'emend.config.json': '{"deny":["secrets"]}',
    });
    home.write('{"deny":["*.pem"]}');
    const broker = await createBroker({ root: project.root, config: 'files', deny: ['c.txt'] });
    onTestFinished(() => broker.close());
    for (const file_path of ['secrets/k', 'b.pem', 'c.txt', 'emend.config.json', home.file]) {
      expect([file_path, (await broker.call('Read', { file_path })).receipt.code]).toEqual([file_path, 'denied']);
    }
    const { receipt } = await broker.call('Write', { file_path: 'emend.config.json', content: '{}' });
    expect(receipt.code).toBe('denied');
    expect((await broker.call('Bash', { command: 'true' })).ok).toBe(false);
  });

  test('the library reads no file unless it is asked to, and what it asks for itself has more weight', async () => {
    const project = makeProject({
      'a.txt': 'one\n',
      'emend.config.json': '{"snippet":"never","dialect":"gemini","strictWrite":true}',
    });
    const plain = await createBroker({ root: project.root });
    const files = await createBroker({ root: project.root, config: 'files', snippet: 'always', model: 'claude-x' });
    onTestFinished(async () => {
      await Promise.all([plain.close(), files.close()]);
    });
    expect((await plain.call('Write', { file_path: 'a.txt', content: 'two\n' })).ok).toBe(true);
    expect(files.tools.map(({ name }) => name)).toContain('Edit');
    expect((await files.call('Write', { file_path: 'a.txt', content: 'three\n' })).receipt.code).toBe('stale');
  });

  test('servers that settings switch off do not serve; those that a project brings serve once it is trusted', async () => {
    const mark = 'require("node:fs").writeFileSync("mark", "")';
    const mine = {
      languages: ['plaintext'],
      places: [{ from: 'path', command: 'node', args: ['-e', mark] }],
      diagnostics: { kind: 'pull' },
    };
    const project = makeProject({
      'a.txt': 'one\n',
      'emend.config.json': JSON.stringify({ servers: { '*': 'off', mine } }),
    });
    const serversAfterEdit = async (): Promise<readonly string[]> => {
      const broker = await createBroker({ root: project.root, config: 'files', diagnosticsBudgetMs: 10_000 });
      const { receipt } = await broker.call('Write', { file_path: 'a.txt', content: `${crypto.randomUUID()}\n` });
      await broker.close();
      return receipt.diagnostics?.servers.map(({ name }) => name) ?? [];
    };
    expect(await serversAfterEdit()).toEqual([]);
    expect(existsSync(project.path('mark'))).toBe(false);
    await setTrust(project.root, 'trusted');
    expect(await serversAfterEdit()).toEqual(['mine']);
    expect(existsSync(project.path('mark'))).toBe(true);
  });

  test('a tool that there is not is told with the file that names it', async () => {
    const project = makeProject({ 'a.txt': 'one\n' });
    home.write('{"tools":["Reed"]}');
    const args = ['call', 'Read', '{"file_path":"a.txt"}', '--root', project.root, '--in-process'];
    const { stderr } = await emend(project).run(args, { env: { XDG_CONFIG_HOME: home.config } });
    expect(stderr).toMatch(/no tool "Reed"\. There are .* \(settings: \S+config\.json\)$/);
  });

  test('a resident process of other settings than the files have now says that it is out of date', async () => {
    const project = makeProject({ 'emend.config.json': '{"severity":"warning"}' });
    const settings = await readResidentSettings(project.root, {});
    expect(settings.root).toEqual({ severity: 'warning' });
    const resident = await startResident({ root: project.root, idleMs: 60_000, settings });
    onTestFinished(() => resident?.stop());
    const hello = { roots: [project.root] as [string], allow: [], isUnconfined: false, env: {}, choice: {} };
    const joined = await joinResident(hello);
    joined.connection.end();
    expect(await settings.haveChanged()).toBe(false);
    project.write('emend.config.json', '{"severity":"error"}');
    expect(await settings.haveChanged()).toBe(true);
    project.write('emend.config.json', '{');
    // What is broken now is told by whoever reads it for itself; this process goes by what it had.
    const again = await joinResident(hello);
    expect(again.pid).toBe(process.pid);
    again.connection.end();
  });
});
