import { execFileSync } from 'node:child_process';
import { readFileSync, truncateSync } from 'node:fs';
import { chmod, chown, link, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, type TestContext, test } from 'vitest';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import type { StoredChange } from '../../src/workspace/document-store.ts';
import {
  canBecomeNobody,
  canMount,
  type Possible,
  writesAmongMounts,
  writesByNobody,
} from '../support/other-machine.ts';

/** A machine that does not let us try says so: in the report, never as a pass that looks like one. */
async function isTried(context: TestContext, possible: Possible): Promise<boolean> {
  if (possible.isPossible) return true;
  await context.annotate(`not tried on this machine: ${possible.why}`, 'warning');
  console.warn(`${context.task.name}: not tried on this machine: ${possible.why}`);
  return false;
}

const NOBODY = 65534;
let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'disk-faults-')));
});

test('a full disk, a read-only mount and a bind-mounted file: the old content is whole or the new is', async (context) => {
  if (!(await isTried(context, canMount()))) return;
  const at = (name: string): string => join(root, name);
  for (const name of ['full', 'locked', 'etc']) await mkdir(at(name));
  for (const name of ['locked/f.txt', 'etc/hosts', 'their-hosts']) await writeFile(at(name), 'old');
  const full = [at('full/f.txt'), at('full/linked.txt'), at('full/new.txt')] as const;
  const seen = writesAmongMounts(
    `mount -t tmpfs -o size=256k tmpfs '${at('full')}'
     head -c 8192 /dev/zero | tr '\\0' o > '${full[0]}'
     cp '${full[0]}' '${full[1]}'; ln '${full[1]}' '${at('full/other')}'
     head -c 200000 /dev/zero > '${at('full/filler')}'
     mount --bind '${at('locked')}' '${at('locked')}'; mount -o remount,bind,ro '${at('locked')}'
     mount --bind '${at('their-hosts')}' '${at('etc/hosts')}'`,
    [
      { path: full[0], content: 200_000 },
      { path: full[1], content: 200_000 },
      { path: full[2], content: 200_000, isNew: true },
      { path: full[0], content: 'fits' },
      { path: at('locked/f.txt'), content: 'new' },
      { path: at('locked/new.txt'), content: 'new', isNew: true },
      { path: at('etc/hosts'), content: 'new and longer' },
    ],
  );
  const [tooLarge, tooLargeLinked, tooLargeNew, fits, readOnly, readOnlyNew, bound] = seen;
  const old = 'o'.repeat(8192);
  const names = ['f.txt', 'filler', 'linked.txt', 'other'];
  for (const [index, write] of [tooLarge, tooLargeLinked].entries()) {
    const path = full[index] ?? '';
    expect(write).toMatchObject({
      outcome: 'io',
      content: old,
      names,
      message: expect.stringMatching(/no space left/),
    });
    expect(write?.message).toContain(path);
    expect(write?.message).not.toContain('.emend');
  }
  expect(tooLargeNew).toMatchObject({ outcome: 'io', content: null, names });
  expect(fits).toMatchObject({ outcome: 'written', content: 'fits', names });
  expect(readOnly).toMatchObject({ outcome: 'read_only', content: 'old', names: ['f.txt'] });
  expect(readOnly?.message).toBe(`${at('locked/f.txt')}: it is on a read-only file system. Write somewhere else`);
  expect(readOnlyNew).toMatchObject({ outcome: 'read_only', content: null, names: ['f.txt'] });
  expect(bound).toMatchObject({ outcome: 'written', content: 'new and longer', names: ['hosts'] });
  expect(await readFile(at('their-hosts'), 'utf8')).toBe('new and longer');
});

test('a user without rights: what it may write it writes, what it may not is named, and nothing else changes', async (context) => {
  if (!(await isTried(context, canBecomeNobody()))) return;
  await chmod(root, 0o755);
  const at = (name: string): string => join(root, name);
  await mkdir(at('home'));
  await chown(at('home'), NOBODY, NOBODY);
  for (const folder of ['shut', 'shared', 'unlisted']) await mkdir(at(folder));
  const files: [string, number, number][] = [
    ['shut/own.txt', NOBODY, 0o644],
    ['shut/theirs.txt', 0, 0o644],
    ['shut/locked.txt', NOBODY, 0o444],
    ['shared/theirs.txt', 0, 0o666],
    ['shared/own.txt', NOBODY, 0o600],
    ['unlisted/own.txt', NOBODY, 0o644],
  ];
  for (const [name, owner, mode] of files) {
    await writeFile(at(name), 'old');
    await chown(at(name), owner, owner);
    await chmod(at(name), mode);
  }
  await chmod(at('shared'), 0o777);
  await chmod(at('unlisted'), 0o733);
  const inodes = await Promise.all(files.map(async ([name]) => (await stat(at(name))).ino));
  const seen = writesByNobody(at('home'), [
    ...files.map(([name]) => ({ path: at(name), content: 'new' })),
    { path: at('shut/new.txt'), content: 'new', isNew: true },
    { path: at('shared/new.txt'), content: 'new', isNew: true },
    { path: at('shut/deep/new.txt'), content: 'new', isNew: true },
  ]);
  const [shutOwn, shutTheirs, locked, sharedTheirs, sharedOwn, unlisted, shutNew, sharedNew, deepNew] = seen;

  expect(shutOwn).toMatchObject({ outcome: 'written', content: 'new', inode: inodes[0], owner: NOBODY });
  expect(shutTheirs).toMatchObject({ outcome: 'denied', content: 'old', owner: 0 });
  expect(shutTheirs?.message).toMatch(/shut\/theirs\.txt may not be written by this user \(mode 0644, owner 0\)/);
  expect(locked).toMatchObject({ outcome: 'read_only', content: 'old' });
  expect(locked?.message).toMatch(/shut\/locked\.txt is a read-only file \(mode 0444\)/);
  expect(sharedTheirs).toMatchObject({ outcome: 'written', content: 'new', inode: inodes[3], owner: 0 });
  expect(sharedOwn).toMatchObject({ outcome: 'written', content: 'new', owner: NOBODY });
  expect(unlisted).toMatchObject({ outcome: 'written', content: 'new', owner: NOBODY });
  expect(sharedNew).toMatchObject({ outcome: 'written', content: 'new', owner: NOBODY });
  for (const write of [shutNew, deepNew]) {
    expect(write).toMatchObject({ outcome: 'denied', content: null });
    expect(write?.message).toContain(`the directory ${at('shut')} is not writable`);
    expect(write?.message).not.toContain('.emend');
  }
  expect(await readdir(at('shut'))).toEqual(['locked.txt', 'own.txt', 'theirs.txt']);
  expect(await readdir(at('shared'))).toEqual(['new.txt', 'own.txt', 'theirs.txt']);
  expect(await readdir(at('unlisted'))).toEqual(['own.txt']);
});

test('an access list and extended attributes are kept, and so is the inode that has them', async (context) => {
  const path = join(root, 's.sh');
  await writeFile(path, 'echo a\n');
  await chmod(path, 0o755);
  // user::rwx user:65534:r-x group::r-x mask::r-x other::r-x, as the kernel stores it.
  const list = '0200000001000700ffffffff02000500feff000004000500ffffffff10000500ffffffff20000500ffffffff';
  const set = `import os; os.setxattr(${JSON.stringify(path)}, 'user.k', b'v'); os.setxattr(${JSON.stringify(path)}, 'system.posix_acl_access', bytes.fromhex('${list}'))`;
  const python = (code: string): string => execFileSync('python3', ['-c', code], { encoding: 'utf8' }).trim();
  let possible: Possible = { isPossible: true };
  try {
    python(set);
  } catch (error) {
    possible = { isPossible: false, why: `no attributes can be set: ${String(error)}` };
  }
  if (!(await isTried(context, possible))) return;
  const inode = (await stat(path)).ino;
  const base = { kind: 'file', bytes: await readFile(path) } as const;
  expect(await createDiskStore().write(path, { base, bytes: Buffer.from('echo b\n'), edits: [] })).toEqual({
    status: 'written',
  });
  expect(await readFile(path, 'utf8')).toBe('echo b\n');
  expect((await stat(path)).ino).toBe(inode);
  expect(python(`import os; print(sorted(os.listxattr(${JSON.stringify(path)})))`)).toBe(
    "['system.posix_acl_access', 'user.k']",
  );
  expect(await readdir(root)).toEqual(['s.sh']);
});

test('a folder that vanished: the error names the path that was asked for', async () => {
  await mkdir(join(root, 'd'));
  const path = join(root, 'd/f.txt');
  await writeFile(path, 'old');
  await rm(join(root, 'd'), { recursive: true });
  const base = { kind: 'file', bytes: Buffer.from('old') } as const;
  await expect(createDiskStore().write(path, { base, bytes: Buffer.from('new'), edits: [] })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining(path),
  });
  expect(await readdir(root)).toEqual([]);
});

test('an owner that root can give back is given back', async (context) => {
  const isRoot: Possible =
    process.getuid?.() === 0 ? { isPossible: true } : { isPossible: false, why: 'this user is not root' };
  if (!(await isTried(context, isRoot))) return;
  const path = join(root, 'f.txt');
  await writeFile(path, 'old');
  await chown(path, NOBODY, NOBODY);
  await chmod(path, 0o640);
  const base = { kind: 'file', bytes: Buffer.from('old') } as const;
  await createDiskStore().write(path, { base, bytes: Buffer.from('new'), edits: [] });
  expect(await stat(path)).toMatchObject({ uid: NOBODY, gid: NOBODY, mode: 0o100640 });
});

test('hard links in other folders are one file still', async () => {
  await mkdir(join(root, 'd'));
  await writeFile(join(root, 'a'), 'old');
  await link(join(root, 'a'), join(root, 'd/b'));
  const base = { kind: 'file', bytes: Buffer.from('old') } as const;
  await createDiskStore().write(join(root, 'd/b'), { base, bytes: Buffer.from('new'), edits: [] });
  expect(await readFile(join(root, 'a'), 'utf8')).toBe('new');
});

test('a file that another program empties while it is written in place is not told as written', async () => {
  const path = join(root, 'f.txt');
  await writeFile(path, 'old');
  await link(path, join(root, 'g.txt'));
  let isOver = false;
  const emptyOnceWritten = (): void => {
    if (readFileSync(path, 'utf8') === 'new content') truncateSync(path);
    else if (!isOver) setImmediate(emptyOnceWritten);
  };
  emptyOnceWritten();
  const change = { base: { kind: 'file', bytes: Buffer.from('old') }, bytes: Buffer.from('new content'), edits: [] };
  const written = createDiskStore().write(path, change as StoredChange);
  await expect(written.finally(() => (isOver = true))).rejects.toMatchObject({
    code: 'io',
    message: `${path} was written, and changed by another program at once. Read it again`,
  });
  expect(await readFile(path, 'utf8')).toBe('');
});
