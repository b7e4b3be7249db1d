import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ConfinementOptions, createConfinement } from '../../src/workspace/confinement.ts';
import { createDiskStore } from '../../src/workspace/disk-store.ts';

const store = createDiskStore();
let base: string;
let root: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'confinement-')));
  root = join(base, 'ws');
  await mkdir(join(root, 'src'), { recursive: true });
  await mkdir(join(base, 'outside'));
  await mkdir(join(base, 'home'));
  await mkdir(join(base, 'ws-2'));
  await writeFile(join(root, 'src/a.ts'), 'a');
  await writeFile(join(root, '~x'), 'x');
  await writeFile(join(root, 'secret.txt'), 's');
  await writeFile(join(base, 'outside/notes.txt'), 'n');
  await writeFile(join(base, 'home/f.txt'), 'f');
  await symlink(join(base, 'outside'), join(root, 'vendor'));
  await symlink('src/a.ts', join(root, 'link.ts'));
  await symlink('../outside/later.txt', join(root, 'later'));
  await symlink('loop', join(root, 'loop'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
});

const confine = (options: Partial<ConfinementOptions> = {}): ReturnType<typeof createConfinement> =>
  createConfinement({ roots: [root], store, home: join(base, 'home'), ...options });

describe('paths inside', () => {
  test.each<[string, string]>([
    ['src/a.ts', 'src/a.ts'],
    ['./src/../src//a.ts', 'src/a.ts'],
    ['link.ts', 'src/a.ts'],
    ['src/new/deep.ts', 'src/new/deep.ts'],
    ['~x', '~x'],
    ['./~x', '~x'],
    ['.', '.'],
    ['src', 'src'],
    ['"src/a.ts"', 'src/a.ts'],
    ['`src/a.ts`', 'src/a.ts'],
    ['..hidden', '..hidden'],
  ])('%s is %s', async (path, shown) => {
    const expected = { status: 'inside', path: shown === '.' ? root : join(root, shown), shown };
    expect(await confine().resolve(path)).toMatchObject(expected);
  });

  test('absolute ones and file: uris too, however they are spelled', async () => {
    const expected = { status: 'inside', path: join(root, 'src/a.ts'), shown: 'src/a.ts' };
    expect(await confine().resolve(join(root, 'src/a.ts'))).toMatchObject(expected);
    expect(await confine().resolve(pathToFileURL(join(root, 'src/a.ts')).href)).toMatchObject(expected);
    expect(await confine().resolve(`file://${root}/src/%61.ts`)).toMatchObject(expected);
  });

  test('what stands there is told, nothing where nothing does', async () => {
    expect(await confine().resolve('src/a.ts')).toMatchObject({ stat: { kind: 'file', size: 1 } });
    expect(await confine().resolve('src')).toMatchObject({ stat: { kind: 'directory' } });
    expect(await confine().resolve('src/none')).toMatchObject({ stat: undefined });
  });
});

describe('paths that are refused', () => {
  test.each<[string, string, RegExp]>([
    ['../outside/notes.txt', 'denied', /outside the root .*--allow .*\/outside, or --unconfined/],
    ['../ws-2/x', 'denied', /outside the root/],
    ['vendor/notes.txt', 'denied', /^vendor\/notes\.txt leads to .*\/outside\/notes\.txt, which is outside/],
    ['vendor/new.txt', 'denied', /outside/],
    ['later', 'denied', /leads to .*\/outside\/later\.txt/],
    ['~/f.txt', 'denied', /home\/f\.txt.*--allow/],
    ['~', 'denied', /--allow/],
    ["'~/bin/x.sh'", 'denied', /--allow/],
    ['/etc/passwd', 'denied', /--allow \/etc/],
    ['/proc/self/environ', 'denied', /--allow \/proc/],
    ['/dev/zero', 'denied', /--allow \/dev\/zero/],
    ['pipe', 'denied', /device, a pipe or a socket/],
    ['loop', 'denied', /circle/],
    ['', 'invalid_arguments', /empty/],
    ['a\0b', 'invalid_arguments', /control character \(\\0\)/],
    ['dir\training.ipynb', 'invalid_arguments', /Did you mean dir\\training\.ipynb\?/],
    [`${'x'.repeat(300)}.ts`, 'invalid_arguments', /too long.*303 bytes/],
    ['a/'.repeat(2100), 'invalid_arguments', /too long/],
    ['https://example.org/a.ts', 'invalid_arguments', /not a file path/],
    ['file:////a/b.ts', 'invalid_arguments', /not a file path/],
  ])('%j: %s', async (path, code, message) => {
    expect(await confine().resolve(path)).toMatchObject({
      status: 'refused',
      code,
      message: expect.stringMatching(message),
    });
  });
});

describe('what widens the boundary', () => {
  test('a further root, or an allowed folder', async () => {
    const outside = join(base, 'outside');
    for (const options of [{ allow: [outside] }, { roots: [root, outside] as const }]) {
      expect(
        await confine({ ...options, roots: options.roots ? [root, outside] : [root] }).resolve('vendor/notes.txt'),
      ).toMatchObject({
        status: 'inside',
        path: join(outside, 'notes.txt'),
        shown: join(outside, 'notes.txt'),
      });
    }
  });

  test('unconfined, all but the windows on the kernel and what is no file', async () => {
    expect(await confine({ unconfined: true }).resolve('/etc/passwd')).toMatchObject({ status: 'inside' });
    expect(await confine({ unconfined: true }).resolve('~/f.txt')).toMatchObject({ shown: join(base, 'home/f.txt') });
    expect(await confine({ unconfined: true }).resolve('/proc/self/environ')).toMatchObject({ code: 'denied' });
    expect(await confine({ unconfined: true }).resolve('pipe')).toMatchObject({ code: 'denied' });
    expect(await confine({ roots: ['/'] }).resolve('/proc/self/environ')).toMatchObject({ code: 'denied' });
    expect(await confine({ allow: ['/proc/version'] }).resolve('/proc/version')).toMatchObject({ status: 'inside' });
  });
});

describe('the deny list', () => {
  test.each<[string, string, boolean]>([
    ['secret.txt', 'secret.txt', true],
    ['secret.txt', 'src/deep/secret.txt', true],
    ['secret.txt', 'secret.txt.md', false],
    ['*.pem', 'src/key.pem', true],
    ['*.pem', 'src/.pem', true],
    ['src', 'src/a.ts', true],
    ['src/**', 'src/a.ts', true],
    ['./src/', 'src/deep/a.ts', true],
    ['src/*.js', 'src/a.ts', false],
    ['src/a.ts', 'link.ts', true],
    ['link.ts', 'link.ts', true],
    ['SECRET.txt', 'secret.txt', true],
  ])('%s names %s: %s', async (pattern, path, isDenied) => {
    const confinement = confine({ deny: [pattern] });
    expect(await confinement.resolve(path)).toMatchObject(
      isDenied ? { code: 'denied', message: `${path} is on the deny list. Leave it alone` } : { status: 'inside' },
    );
    expect(confinement.allowsCommands).toBe(false);
  });

  test('holds for absolute patterns, outside roots, and when a change is written', async () => {
    const confinement = confine({ unconfined: true, deny: [join(base, 'outside')] });
    expect(await confinement.resolve(join(base, 'outside/notes.txt'))).toMatchObject({ code: 'denied' });
    expect(confinement.allows(join(base, 'outside/notes.txt'))).toBe(false);
    expect(confinement.isDenied(join(base, 'outside/notes.txt'))).toBe(true);
    expect(confinement.isDenied(join(root, 'src/a.ts'))).toBe(false);
    expect(confine().allowsCommands).toBe(true);
    expect(confine({ deny: ['x'], commands: 'asked_for' }).allowsCommands).toBe(true);
  });
});
