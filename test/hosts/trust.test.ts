import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBroker } from '../../src/hosts/create-broker.ts';
import { startResident } from '../../src/hosts/resident.ts';
import { joinResidentHost } from '../../src/hosts/resident-host.ts';
import { trust } from '../../src/hosts/trust.ts';
import { until } from '../support/processes.ts';
import { makeProject } from '../support/project.ts';

let folder: string;
let said: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-config-')));
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
  vi.stubEnv('XDG_STATE_HOME', join(folder, 'state'));
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

/** A project whose own server, once it runs, leaves a mark. */
function markingProject() {
  return makeProject({
    'a.txt': 'one\n',
    'node_modules/marker/package.json': '{"name":"marker","version":"1.0.0"}',
    'node_modules/marker/server.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('mark', '');\n",
    '.emend/servers.json': JSON.stringify({
      marker: {
        languages: ['plaintext'],
        places: [{ from: 'project', package: 'marker', entry: 'server.mjs', runtime: 'node' }],
        diagnostics: { kind: 'pull' },
      },
    }),
  });
}

async function edit(root: string, options: { readonly untrusted?: true } = {}): Promise<unknown> {
  const broker = await createBroker({ root, ...options });
  onTestFinished(() => broker.close());
  const { ok, receipt } = await broker.call('Write', { file_path: 'a.txt', content: `${crypto.randomUUID()}\n` });
  expect(ok).toBe(true);
  return (receipt as { diagnostics?: { servers?: readonly { name: string }[] } }).diagnostics?.servers?.map(
    ({ name }) => name,
  );
}

describe('emend trust', () => {
  test('lets a project bring its own server, which runs in no other case', async () => {
    const project = markingProject();
    expect(await edit(project.root)).not.toContain('marker');
    expect(await trust(project.root, {})).toBe(0);
    expect(said).toContain(`trusted: ${project.root} and all below it`);
    expect(await edit(project.root, { untrusted: true })).not.toContain('marker');
    expect(existsSync(project.path('mark'))).toBe(false);
    expect(await edit(project.root)).toContain('marker');
    expect(await until(() => existsSync(project.path('mark')), 20_000)).toBe(true);
  });

  test("untrusted, a project's TypeScript, its plugins and its Python do not run; a type error is found all the same", async () => {
    const marks = [
      "require('node:fs')",
      ".writeFileSync(require('node:path').join(process.env.EMEND_TEST_MARKS, NAME), '')",
    ];
    const marking = (name: string): string => `${marks.join('').replace('NAME', JSON.stringify(name))};\n`;
    const project = makeProject({
      'a.ts': 'export const a: number = 1;\n',
      'a.py': 'a: int = 1\n',
      'tsconfig.json': '{"compilerOptions":{"strict":true,"plugins":[{"name":"planted"}]}}',
      'node_modules/planted/package.json': '{"name":"planted","version":"1.0.0","main":"main.js"}',
      'node_modules/planted/main.js': `${marking('plugin')}module.exports = () => ({ create: (info) => info.languageService });\n`,
      'node_modules/typescript/package.json': '{"name":"typescript","version":"5.9.3"}',
      'node_modules/typescript/lib/tsserver.js': marking('tsserver'),
      '.venv/bin/python': '#!/bin/sh\n: > "$EMEND_TEST_MARKS/python"\necho "{}"\n',
    });
    chmodSync(project.path('.venv/bin/python'), 0o755);
    const marksOf = async (options: { readonly untrusted?: true }) => {
      const folder = mkdtempSync(join(tmpdir(), 'emend-marks-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      vi.stubEnv('EMEND_TEST_MARKS', folder);
      const broker = await createBroker({ root: project.root, ...options });
      onTestFinished(() => broker.close());
      const errors = [];
      for (const file_path of ['a.ts', 'a.py']) {
        await broker.call('Write', { file_path, content: project.read(file_path).replace('= 1', '= "x"') });
        const state = await broker.call('Diagnostics', { file_path, wait_ms: 30_000 });
        errors.push(state.text);
        project.write(file_path, project.read(file_path).replace('= "x"', '= 1'));
      }
      return { marks: readdirSync(folder).sort(), errors };
    };
    const { marks: untrusted, errors } = await marksOf({ untrusted: true });
    expect(untrusted).toEqual([]);
    expect(errors).toEqual([expect.stringContaining('TS2322'), expect.stringContaining('reportAssignmentType')]);
    // Else both are used, as every editor does.
    expect((await marksOf({})).marks).toEqual(['python', 'tsserver']);
  }, 90_000);

  test('a servers file that can not be read is told in the answer, and the broker still closes', async () => {
    const project = makeProject({ 'a.txt': 'one\n', '.emend/servers.json': '{' });
    await trust(project.root, {});
    const broker = await createBroker({ root: project.root });
    const { ok, text } = await broker.call('Write', { file_path: 'a.txt', content: 'two\n' });
    expect({ ok, text }).toEqual({ ok: true, text: expect.stringContaining('servers.json is not JSON') });
    // Nobody waits for what a Read has begun to warm up: it may not end the process either.
    expect(await broker.call('Read', { file_path: 'a.txt' })).toMatchObject({ ok: true });
    await expect(broker.close()).resolves.toBeUndefined();
  });

  test('--remove takes it back, and says where a folder above is still trusted', async () => {
    const inner = join(folder, 'outer/inner');
    mkdirSync(inner, { recursive: true });
    await trust(join(folder, 'outer'), {});
    await trust(inner, {});
    expect(await trust(inner, { remove: true })).toBe(1);
    expect(said).toMatch(/inner is still trusted, because a folder above it is/);
    expect(await trust(join(folder, 'outer'), { remove: true })).toBe(0);
    await expect(trust(inner, { remove: true })).rejects.toThrow(/inner: it is not named as trusted\. No folder is\./);
    await expect(trust(join(folder, 'none'), {})).rejects.toThrow(
      /none is not a folder\. Name a project that exists\./,
    );
  });

  test('a resident process that trusts refuses a caller that does not; one that does not takes both', async () => {
    const [trusting, careful] = [makeProject({}), makeProject({})];
    const hello = { allow: [], isUnconfined: false, env: {}, choice: {} };
    const first = await startResident({ root: trusting.root, idleMs: 60_000 });
    const second = await startResident({ root: careful.root, idleMs: 60_000, untrusted: true });
    onTestFinished(async () => {
      await Promise.all([first?.stop(), second?.stop()]);
    });
    await expect(joinResidentHost({ ...hello, roots: [trusting.root], untrusted: true })).rejects.toThrow(
      /^--untrusted: the resident process of .* was started without it.* or use --in-process$/,
    );
    const host = await joinResidentHost({ ...hello, roots: [careful.root], untrusted: true });
    expect(host.tools.length).toBeGreaterThan(0);
    await host.close();
    const other = await joinResidentHost({ ...hello, roots: [careful.root] });
    await other.close();
  });
});
