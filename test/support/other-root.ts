import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandPrefix } from '../../src/workspace/executor/local-prefix-run.ts';

export interface OtherRoot {
  readonly prefix: CommandPrefix;
  remove(): void;
}

/** Whether this machine can show a process another root: tests through one are for machines that can. */
export const hasBubblewrap = existsSync('/usr/bin/bwrap') && existsSync('/bin/busybox');

const BARE = ['--dev', '/dev', '--unshare-net', '--die-with-parent', '--clearenv'] as const;

/**
 * A root of nothing but busybox, in which `folders` stand under their own names: no network, no Node, no emend, no
 * ripgrep, no bash.
 */
export function busyboxRoot(...folders: readonly string[]): OtherRoot {
  const root = mkdtempSync(join(tmpdir(), 'emend-busybox-'));
  for (const name of ['bin', 'tmp', 'home', 'etc']) mkdirSync(join(root, name));
  copyFileSync('/bin/busybox', join(root, 'bin/busybox'));
  for (const name of execFileSync('/bin/busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n')) {
    if (name !== 'busybox') symlinkSync('busybox', join(root, 'bin', name));
  }
  const mounts = ['--bind', root, '/', '--proc', '/proc', ...bound(folders)];
  return {
    prefix: ['bwrap', ...mounts, ...BARE, '--setenv', 'PATH', '/bin', '--setenv', 'HOME', '/home'],
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A root with this machine's own programs but for those in `/usr/local` and home folders, so without Node or emend. */
export function systemRoot(...folders: readonly string[]): OtherRoot {
  const root = mkdtempSync(join(tmpdir(), 'emend-system-'));
  const shared = ['/usr/bin', '/usr/lib', '/usr/share', '/usr/sbin', '/bin', '/lib', '/lib64', '/sbin', '/etc'];
  const mounts = shared.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]);
  for (const name of ['tmp', 'home']) mkdirSync(join(root, name));
  return {
    prefix: [
      'bwrap',
      ...['--bind', root, '/', ...mounts, '--proc', '/proc', ...bound(folders)],
      ...[...BARE, '--setenv', 'PATH', '/usr/bin:/bin', '--setenv', 'HOME', '/home'],
    ],
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function bound(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => ['--bind', folder, folder]);
}
