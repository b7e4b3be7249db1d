import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { BrokerOptions } from '../../src/hosts/broker-options.ts';
import { createBroker } from '../../src/hosts/create-broker.ts';
import { startResident } from '../../src/hosts/resident.ts';
import { joinResidentHost } from '../../src/hosts/resident-host.ts';
import { LOG_NAME } from '../../src/hosts/root-log.ts';
import { ownProcess } from '../../src/workspace/local-process-identity.ts';
import { rootStateFolder } from '../../src/workspace/local-state-folder.ts';
import { startEditor } from '../support/editor.ts';
import { until } from '../support/processes.ts';
import { makeProject } from '../support/project.ts';
import { makeSettingsHome } from '../support/settings-home.ts';

beforeEach(() => {
  makeSettingsHome();
});

/** No process has that number. */
const dead = `${ownProcess.split('.')[0]}.4194305.1`;
const logFile = (root: string): string => join(rootStateFolder(root), LOG_NAME);
const log = (root: string): string => (existsSync(logFile(root)) ? readFileSync(logFile(root), 'utf8') : '');
const lines = (root: string, event: string): readonly string[] =>
  log(root)
    .split('\n')
    .filter((line) => line.includes(` event=${event} `))
    .map((line) => line.replace(/^time=\S+ /, '').replace(/ ms=\S+/, ''));

async function brokerOn(root: string, options: Partial<BrokerOptions> = {}) {
  const broker = await createBroker({ root, session: 's1', ...options });
  onTestFinished(() => broker.close());
  return broker;
}

describe('the log of a root', () => {
  test('has each call with its session, receipt, tool, path, outcome and time, and nothing of what stood there', async () => {
    const { root } = makeProject({ 'a.txt': 'secret-one\n' });
    const broker = await brokerOn(root);
    await broker.call('Edit', { file_path: 'a.txt', old_string: 'secret-one', new_string: 'secret-two' });
    await broker.call('Edit', { file_path: 'a.txt', old_string: 'secret-three', new_string: 'x' });
    await broker.call('Read', { file_path: 'none here.txt' });
    await broker.call('Bash', { command: 'echo secret-four; exit 3' });
    await broker.close();
    expect(lines(root, 'call')).toEqual([
      'level=info event=call session=s1 receipt=e1 tool=Edit path=a.txt outcome=ok matched_via=exact diagnostics=none introduced=0 fixed=0',
      'level=info event=call session=s1 receipt=e2 tool=Edit path=a.txt outcome=no_match',
      'level=info event=call session=s1 receipt=e3 tool=Read path="none here.txt" outcome=not_found',
      expect.stringMatching(/^level=info event=call session=s1 receipt=e\d tool=Bash outcome=ok exit=3$/),
    ]);
    expect(log(root)).not.toContain('secret');
  });

  test('at debug has the arguments and the answer too', async () => {
    const { root } = makeProject({ 'a.txt': 'alpha\n' });
    const broker = await brokerOn(root, { logLevel: 'debug' });
    await broker.call('Read', { file_path: 'a.txt' });
    await broker.close();
    expect(lines(root, 'said')[0]).toBe(
      String.raw`level=debug event=said session=s1 receipt=e1 args="{\"file_path\":\"a.txt\"}" text="1→alpha"`,
    );
  });

  test.each(['off', 'error', 'warn'] as const)('at %s has no call', async (logLevel) => {
    const { root } = makeProject({ 'a.txt': 'alpha\n' });
    const broker = await brokerOn(root, { logLevel });
    await broker.call('Read', { file_path: 'a.txt' });
    await broker.close();
    expect(existsSync(logFile(root))).toBe(false);
  });

  test('tells how a server started and ended, and what could not be said in time', async () => {
    const { root } = makeProject({ 'tsconfig.json': '{}', 'a.ts': 'export const a = 1;\n' });
    const broker = await createBroker({ root, session: 's1', diagnosticsBudgetMs: 0 });
    await broker.call('Edit', { file_path: 'a.ts', old_string: 'a = 1', new_string: 'a: string = 1' });
    await broker.flush(30_000);
    await broker.call('Read', { file_path: 'a.ts' });
    await broker.close();
    expect(lines(root, 'pending')[0]).toMatch(/^level=info event=pending session=s1 receipt=e1 server=\S+ reason=/);
    expect(lines(root, 'server_started')[0]).toMatch(/^level=info event=server_started server=\S+ root=\S+ version=/);
    expect(lines(root, 'server_ended')[0]).toMatch(
      /^level=info event=server_ended server=\S+ root=\S+ pid=\d+ why=stopped$/,
    );
  });

  test('tells why a server did not start', async () => {
    const { root } = makeProject({ 'a.txt': 'one\n' });
    const places = [{ from: 'path', command: 'node', args: ['-e', 'console.error("no licence"); process.exit(7)'] }];
    const servers = { broken: { languages: ['plaintext'], places, diagnostics: { kind: 'pull' } } };
    const broker = await brokerOn(root, { servers, diagnosticsBudgetMs: 20_000 });
    await broker.call('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' });
    await broker.close();
    expect(lines(root, 'server_failed')[0]).toMatch(
      /^level=warn event=server_failed server=broken .*ended with code 7.*no licence/,
    );
    expect(lines(root, 'unavailable')[0]).toMatch(/receipt=e1 server=broken reason=.*no licence/);
  });

  test('tells what was left by a process that died', async () => {
    const { root } = makeProject({ 'a.txt': 'one\n' });
    const left = `.emend-${dead}-aa.tmp`;
    writeFileSync(join(root, left), 'left');
    const broker = await brokerOn(root);
    await broker.call('Write', { file_path: 'b.txt', content: 'x\n' });
    await broker.close();
    expect(existsSync(join(root, left))).toBe(false);
    expect(log(root)).toContain(`event=swept path=${root}/${left}\n`);
  });

  test('tells of recovery, by the receipt of the change', async () => {
    const { root } = makeProject({ 'a.txt': 'one\n' });
    const begun = join(rootStateFolder(root), 'changes/begun');
    mkdirSync(begun, { recursive: true });
    writeFileSync(join(begun, `${dead}-e9.json`), JSON.stringify({ version: 1, receipt: 'e9', files: [] }));
    await brokerOn(root);
    expect(log(root)).toMatch(/level=warn event=recovered receipt=e9 path="" end=done\n/);
  });

  test('of a resident process tells who came and went, and one caller may have more of it', async () => {
    const { root } = makeProject({ 'a.txt': 'alpha\n' });
    const resident = await startResident({ root, idleMs: 60_000 });
    onTestFinished(() => resident?.stop());
    const hello = { roots: [root] as [string], allow: [], isUnconfined: false, env: {}, choice: {}, session: 'named' };
    const host = await joinResidentHost({ ...hello, logLevel: 'debug' });
    await host.call('Read', { file_path: 'a.txt' });
    await host.close();
    const quiet = await joinResidentHost({ ...hello, logLevel: 'off' });
    await quiet.call('Read', { file_path: 'a.txt' });
    await quiet.close();
    await resident?.stop();
    expect(log(root).match(/event=(resident_\w+|front_\w+|call|said)( session=named)?/g)).toEqual([
      'event=resident_started',
      'event=front_joined session=named',
      'event=call session=named',
      'event=said session=named',
      'event=front_left session=named',
      'event=front_joined session=named',
      'event=front_left session=named',
      'event=resident_ended',
    ]);
  });

  test('tells of an editor that comes and goes', async () => {
    const { root } = makeProject({ 'a.txt': 'alpha\n' });
    const resident = await startResident({ root, idleMs: 60_000 });
    onTestFinished(() => resident?.stop());
    const editor = await startEditor({ root });
    await editor.open(join(root, 'a.txt'), 'alpha\n');
    expect(await until(() => lines(root, 'editor_attached').length > 0, 10_000)).toBe(true);
    editor.kill();
    expect(await until(() => lines(root, 'editor_left').length > 0, 10_000)).toBe(true);
    const [attached = '', left = ''] = [...lines(root, 'editor_attached'), ...lines(root, 'editor_left')];
    expect(attached).toMatch(/^level=info event=editor_attached editor=\S/);
    expect(left).toBe(attached.replace('attached', 'left'));
  });
});
