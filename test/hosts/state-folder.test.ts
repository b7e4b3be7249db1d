import { linkSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import type { AskedCall } from '../support/calls-in-state.ts';
import { callsInState, canMount } from '../support/other-machine.ts';
import { makeProject } from '../support/project.ts';

/** What becomes of the state folder (`$1`), how a message says so, and what it says to do. */
const WAYS = [
  [
    'is on a full disk',
    'mount -t tmpfs -o size=64k tmpfs "$1"; mkdir -m 700 "$1/emend"; cat /dev/zero > "$1/filler" 2>/dev/null || true',
    'its disk is full (ENOSPC). Free space on its disk',
    false,
  ],
  [
    'is read-only',
    'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"',
    'its file system is read-only (EROFS). Mount it writable',
    true,
  ],
] as const;

const LINES = 'one\ntwo\nthree\n';
const LONG = Array.from({ length: 2000 }, (_, line) => `line ${line} ${'x'.repeat(60)}\n`).join('');

/** What can be made again from the call itself. */
const MADE: readonly AskedCall[] = [
  { tool: 'Edit', args: { file_path: 'a.txt', old_string: 'two\n', new_string: '2\n' } },
  { tool: 'Read', args: { file_path: 'read.txt' } },
  { tool: 'Write', args: { file_path: 'read.txt', content: 'new\n' } },
  { tool: 'Write', args: { file_path: 'new.txt', content: 'new\n' } },
];

/** Each is refused, and changes nothing. */
const REFUSED: readonly (AskedCall & { readonly title: string; readonly names: string })[] = [
  {
    title: 'a Write over a file that was not read',
    tool: 'Write',
    args: { file_path: 'unseen.txt', content: 'new\n' },
    names: 'unseen.txt',
  },
  {
    title: 'a Write over a file that was read in part',
    tool: 'Write',
    args: { file_path: 'partly.txt', content: 'new\n' },
    names: 'partly.txt',
  },
  {
    title: 'a patch that deletes a file',
    tool: 'apply_patch',
    args: { input: '*** Begin Patch\n*** Delete File: gone.txt\n*** End Patch' },
    names: 'gone.txt',
  },
  {
    title: 'a patch that puts a new file in the place of one that was not read',
    tool: 'apply_patch',
    args: {
      input: '*** Begin Patch\n*** Delete File: gone.txt\n*** Add File: gone.txt\n+new\n*** End Patch',
    },
    names: 'gone.txt',
  },
  {
    title: 'several edits',
    tool: 'MultiEdit',
    args: {
      edits: [
        { file_path: 'b.txt', old_string: 'two\n', new_string: '2\n' },
        { file_path: 'unseen.txt', old_string: 'line 7 x', new_string: 'line 7 y' },
      ],
    },
    names: 'b.txt, unseen.txt',
  },
  {
    title: 'an edit of a file with two names',
    tool: 'Edit',
    args: { file_path: 'linked.txt', old_string: 'two\n', new_string: '2\n' },
    names: 'linked.txt',
  },
];

async function isTried(context: TestContext): Promise<boolean> {
  const possible = canMount();
  if (possible.isPossible) return true;
  await context.annotate(`not tried on this machine: ${possible.why}`, 'warning');
  console.warn(`${context.task.name}: not tried on this machine: ${possible.why}`);
  return false;
}

test.for(WAYS)(
  'where the state folder %s, what only the file has is not lost; other changes are made',
  { timeout: 60_000 },
  async ([_way, script, cause, isOld], context) => {
    if (!(await isTried(context))) return;
    const project = makeProject({
      'a.txt': LINES,
      'b.txt': LINES,
      'read.txt': LINES,
      'unseen.txt': LONG,
      'partly.txt': LONG,
      'gone.txt': LONG,
      'linked.txt': LINES,
    });
    linkSync(project.path('linked.txt'), project.path('other-name.txt'));
    const state = stateFolder();
    // One that can not even be begun is made among the temporary files instead.
    if (isOld) useOnce(project.root, state);
    const [, edited, read, written, made, ...refused] = callsInState({ root: project.root, state, script }, [
      { tool: 'Read', args: { file_path: 'partly.txt', limit: 20 } },
      ...MADE,
      ...REFUSED,
    ]);
    const names = ['a.txt', 'b.txt', 'read.txt', 'new.txt', 'unseen.txt', 'partly.txt', 'gone.txt', 'linked.txt'];
    const now = ['one\n2\nthree\n', LINES, 'new\n', 'new\n', LONG, LONG, LONG, LINES];
    expect(names.map(project.read)).toEqual(now);
    for (const [index, { title, names }] of REFUSED.entries()) {
      const { ok, code, text } = refused[index] ?? {};
      expect({ title, ok, code, text }).toMatchObject({ title, ok: false, code: 'io' });
      const [first] = text?.split('\n') ?? [];
      expect(first, title).toMatch(/^Error io: /);
      expect(first, title).toContain(names);
      expect(first, title).toContain(`the state folder ${state}/emend`);
      expect(first, title).toContain(
        `could not be written: ${cause}, or have the state kept elsewhere (XDG_STATE_HOME)`,
      );
    }
    expect([edited, read, written, made].map((call) => call?.ok)).toEqual([true, true, true, true]);
    const note = 'note: this change landed but can not be undone by its id: the state folder';
    expect(edited?.text).toContain(note);
    expect(edited?.text).toContain(cause);
    expect(edited?.undo).toBeNull();
    // Said once.
    expect(written?.text).not.toContain(note);
  },
);

function useOnce(root: string, state: string): void {
  const edit = { tool: 'Edit', args: { file_path: 'linked.txt', old_string: 'one', new_string: '1' } };
  callsInState({ root, state, script: ':' }, [edit, { tool: 'Undo', args: {} }]);
}

function stateFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-full-state-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
