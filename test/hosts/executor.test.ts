import { chmodSync, linkSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExecutor } from '../../src/hosts/create-executor.ts';
import { type Broker, createBroker } from '../../src/index.ts';
import { busyboxRoot, hasBubblewrap, type OtherRoot, systemRoot } from '../support/other-root.ts';
import { processes, until } from '../support/processes.ts';
import { makeLastingProject, type Project } from '../support/project.ts';

// Where there is no bubblewrap there is no other root to reach: the tests are for machines that have it.
describe.runIf(hasBubblewrap)('files that are reached only through a command prefix', { timeout: 120_000 }, () => {
  describe.each<[string, (folder: string) => OtherRoot]>([
    ['busybox alone', busyboxRoot],
    ['another system', systemRoot],
  ])('in a root of %s', (_what, makeRoot) => {
    let project: Project;
    let other: OtherRoot;
    let broker: Broker;

    beforeAll(async () => {
      project = makeLastingProject({ 'a.txt': 'alpha\nbeta\n', 'src/b.txt': 'needle\r\nhay\r\n' });
      other = makeRoot(project.root);
      broker = await createBroker({ root: project.root, snippet: 'never', ...(await createExecutor(other.prefix)) });
    });
    afterAll(async () => {
      await broker.close();
      other.remove();
    });

    const call = async (tool: string, args: object): Promise<string> => (await broker.call(tool, args)).text;

    test('Read, Edit, Write and MultiEdit do what they do here', async () => {
      expect(await call('Read', { file_path: 'a.txt' })).toBe('1→alpha\n2→beta');
      expect(
        await call('Edit', { file_path: 'src/b.txt', old_string: 'needle\nhay', new_string: 'needle\nHAY' }),
      ).toMatch(/^Edited src\/b\.txt \(\+1 -1\) L2/);
      expect(project.read('src/b.txt')).toBe('needle\r\nHAY\r\n');
      expect(await call('Write', { file_path: 'new/er/c.txt', content: 'c\n' })).toMatch(/^Created new\/er\/c\.txt/);
      expect(project.read('new/er/c.txt')).toBe('c\n');
      const edits = [
        { file_path: 'a.txt', old_string: 'alpha', new_string: 'ALPHA' },
        { file_path: 'new/er/c.txt', old_string: 'c', new_string: 'C' },
      ];
      const changed = await broker.call('MultiEdit', { edits });
      expect(changed.ok).toBe(true);
      expect([project.read('a.txt'), project.read('new/er/c.txt')]).toEqual(['ALPHA\nbeta\n', 'C\n']);
      expect(readdirSync(project.path('new/er'))).toEqual(['c.txt']);
    });

    test('what is wrong is told in the same words, and nothing changes', async () => {
      writeFileSync(project.path('locked.txt'), 'locked\n');
      chmodSync(project.path('locked.txt'), 0o444);
      symlinkSync('/etc', project.path('way-out'));
      const before = project.hash();
      const edit = { old_string: 'locked', new_string: 'open' };
      for (const [tool, args, code] of [
        ['Read', { file_path: 'nowhere.txt' }, 'not_found'],
        ['Edit', { file_path: 'src', ...edit }, 'is_directory'],
        ['Edit', { file_path: 'locked.txt', ...edit }, 'read_only'],
        ['Write', { file_path: 'a.txt/b.txt', content: 'x' }, 'not_found'],
        ['Write', { file_path: 'way-out/emend.txt', content: 'x' }, 'denied'],
        ['Read', { file_path: '../../etc/passwd' }, 'denied'],
      ] as const) {
        expect(await call(tool, args)).toMatch(new RegExp(`^Error ${code}: `));
      }
      expect(await call('Edit', { file_path: 'locked.txt', ...edit })).toContain('a read-only file (mode 0444). chmod');
      expect(project.hash()).toBe(before);
    });

    test('mode and hard links are kept', async () => {
      writeFileSync(project.path('tool.sh'), 'echo one\n');
      chmodSync(project.path('tool.sh'), 0o750);
      linkSync(project.path('tool.sh'), project.path('linked.sh'));
      expect(await call('Edit', { file_path: 'tool.sh', old_string: 'one', new_string: 'two' })).toMatch(/^Edited/);
      expect(readFileSync(project.path('linked.sh'), 'utf8')).toBe('echo two\n');
      expect(statSync(project.path('tool.sh'))).toMatchObject({ nlink: 2 });
      expect(statSync(project.path('tool.sh')).mode & 0o777).toBe(0o750);
    });

    test('a large file comes whole, and a page of it alone', async () => {
      const lines = Array.from({ length: 120_000 }, (_, n) => `${n} ${'é'.repeat(20)}`);
      writeFileSync(project.path('big.txt'), `${lines.join('\n')}\n`);
      expect(await call('Read', { file_path: 'big.txt', offset: 100_001, limit: 1 })).toMatch(/^100001→100000 é+/);
      const edit = { file_path: 'big.txt', old_string: `99999 ${'é'.repeat(20)}`, new_string: '99999 e' };
      expect(await call('Edit', edit)).toMatch(/^Edited big\.txt/);
      expect(project.read('big.txt').split('\n')[99_999]).toBe('99999 e');
    });

    test('Glob and Grep search there, with our ripgrep where there is none', async () => {
      expect(await call('Grep', { pattern: 'needle', output_mode: 'content' })).toMatch(
        /^src\/b\.txt\n1:needle\n\(1 match/,
      );
      expect(await call('Glob', { pattern: 'src/**/*.txt' })).toMatch(/^src\/b\.txt\n\(1 of 1\)/);
    });

    test('Bash runs there, and is ended there at its deadline', async () => {
      expect(await call('Bash', { command: 'pwd; exit 3' })).toMatch(/^exit 3 \(.*\)\n/);
      expect(await call('Bash', { command: 'pwd' })).toContain(project.root);
      const mark = `63${Math.floor(Math.random() * 1e6)}`;
      expect(await call('Bash', { command: `sleep ${mark}`, timeout: 1000 })).toMatch(/^Error timeout: /);
      const isGone = () => !processes().some(({ command }) => command.includes(`sleep ${mark}`));
      expect(await until(isGone, 5000)).toBe(true);
    });

    test('what a command leaves running is listed with its memory, and ended', async () => {
      const held = 'x=$(head -c 60000000 /dev/zero | tr "\\0" a); sleep 60; echo "$x" | wc -c';
      expect(await call('Bash', { command: `(${held}) & sleep 7325 & echo now` })).toMatch(/^exit 0 .*\nnow\n/);
      const listed = () => call('Bash', { command: 'true' });
      await expect.poll(listed, { timeout: 60_000 }).toMatch(/still running: .*\d+ \(.*, [\d.]+ MB\)/);
      const text = await listed();
      expect(text).toMatch(/\d+ \(sleep 7325\)/);
      const job = /, job (\d+),/.exec(text)?.[1];
      expect(await call('Bash', { stop: job })).toContain('what it had left running was ended');
      expect(await listed()).not.toContain('still running');
    });
  });

  test('a prefix that leads nowhere is an error that says why', async () => {
    await expect(createExecutor(['/nowhere/at/all'])).rejects.toThrow(
      /nothing can be run through \/nowhere\/at\/all: /,
    );
    await expect(createExecutor(['sh', '-c', 'echo no daemon >&2; exit 1'])).rejects.toThrow(/no daemon/);
  });

  test('a prefix that joins its words for a shell, as ssh does, is told apart', async () => {
    const joins = ['sh', '-c', 'shift; exec sh -c "$*"', 'ssh', 'host'] as const;
    const project = makeLastingProject({ "it's $HOME.txt": 'alpha\n' });
    const broker = await createBroker({ root: project.root, ...(await createExecutor([...joins])) });
    expect((await broker.call('Read', { file_path: "it's $HOME.txt" })).text).toBe('1→alpha');
    await broker.close();
  });
});
