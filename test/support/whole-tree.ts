import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

/** All that a file is: what it holds, whose it is, what it may, what else belongs to it, and its other names. */
export interface WholeFile {
  readonly mode: string;
  readonly owner: string;
  readonly content: string;
  readonly attributes: string;
  /** All names that the file has in the tree. */
  readonly names: string;
}

/** Every file, folder (`src/`) and link below a folder, wholly. */
export function wholeTree(folder: string): Readonly<Record<string, WholeFile | string>> {
  const tree: Record<string, WholeFile | string> = {};
  const names = new Map<number, string[]>();
  const files: { readonly name: string; readonly path: string }[] = [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (entry.isDirectory()) tree[`${name}/`] = (lstatSync(path).mode & 0o7777).toString(8);
    else if (entry.isSymbolicLink()) tree[name] = `-> ${readlinkSync(path)}`;
    else {
      files.push({ name, path });
      const { ino } = lstatSync(path);
      names.set(ino, [...(names.get(ino) ?? []), name].sort());
    }
  }
  const attributes = attributesOf(files.map(({ path }) => path));
  for (const [index, { name, path }] of files.entries()) {
    const { mode, uid, gid, ino } = lstatSync(path);
    tree[name] = {
      mode: (mode & 0o7777).toString(8),
      owner: `${uid}:${gid}`,
      content: readFileSync(path).toString('latin1'),
      attributes: attributes[index] ?? '',
      names: (names.get(ino) ?? []).join(' = '),
    };
  }
  return tree;
}

/** The system's own: what stands before it on PATH may be a script that looks for a version first. */
const PYTHON3 = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
const PYTHON = `
import os, sys
for path in sys.argv[1:]:
    try: names = sorted(name for name in os.listxattr(path) if name.startswith('user.'))
    except OSError: names = []
    print(','.join(name + '=' + os.getxattr(path, name).hex() for name in names))
`;

/** Extended attributes are what Node can't ask for. */
function attributesOf(paths: readonly string[]): readonly string[] {
  if (paths.length === 0 || !canSetAttributes()) return [];
  return execFileSync(PYTHON3, ['-S', '-c', PYTHON, ...paths], { encoding: 'utf8' }).split('\n');
}

export function setAttribute(path: string, name: string, value: string): void {
  setAttributes([{ path, name, value }]);
}

/** Of many files at once: the start of a process for each is most of what it costs. */
export function setAttributes(
  list: readonly { readonly path: string; readonly name: string; readonly value: string }[],
): void {
  if (list.length === 0) return;
  execFileSync(PYTHON3, [
    ...['-S', '-c'],
    'import json, os, sys\nfor a in json.loads(sys.argv[1]): os.setxattr(a["path"], a["name"], a["value"].encode())',
    JSON.stringify(list),
  ]);
}

let isPossible: boolean | undefined;

/** Whether attributes can be set and seen here. */
export function canSetAttributes(): boolean {
  if (isPossible === undefined) {
    const script = "import os, tempfile; f = tempfile.NamedTemporaryFile(); os.setxattr(f.name, 'user.emend', b'1')";
    try {
      execFileSync(PYTHON3, ['-S', '-c', script], { stdio: 'ignore' });
      isPossible = true;
    } catch {
      isPossible = false;
    }
  }
  return isPossible;
}
