import { chmodSync, chownSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyPatchTool } from '../../src/tools/apply-patch.ts';
import { undoTool } from '../../src/tools/undo.ts';
import { seeded } from './encoded-files.ts';
import { isFar } from './far.ts';
import { openToolRoom } from './tool-room.ts';
import { canSetAttributes, setAttributes, type WholeFile, wholeTree } from './whole-tree.ts';

/** How many patches there were, what they did, and what came out otherwise than the model says. */
export interface MoveTally {
  patches: number;
  undone: number;
  readonly parts: Record<string, number>;
  readonly wrong: string[];
}

const NAMES = ['a', 'b', 'c', 'd', 'sub/e', 'sub/f', 'deep/er/g', 'h'] as const;
const CONTENTS: readonly Uint8Array[] = [
  Buffer.from('plain\ntext\n'),
  Buffer.from('caf\xe9 na\xefve\r\nd\xe9j\xe0\r\n', 'latin1'),
  Buffer.from('\ufeffzw\u00f6lf\n', 'utf16le'),
  Buffer.from('\ufeffwith a mark\n'),
  Buffer.from([0, 1, 2, 255, 0]),
  Buffer.from(''),
];
const MODES = [0o644, 0o600, 0o755, 0o664, 0o4755] as const;

type Tree = Record<string, WholeFile | string>;

/** Patches of adds, deletes and moves on random trees, with chains and swaps; each is undone, and that too. */
export async function moveSeries(count: number, seed: number): Promise<MoveTally> {
  const random = seeded(seed);
  const tally: MoveTally = { patches: 0, undone: 0, parts: {}, wrong: [] };
  while (tally.patches < count && tally.wrong.length === 0) {
    const room = await openToolRoom();
    plant(room.folder, random);
    const before: Tree = wholeTree(room.folder);
    const { lines, files } = randomPatch(before, random, tally.parts);
    if (lines.length === 0) {
      await room.close();
      continue;
    }
    const input = ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
    const check = (what: string, expected: Tree, text: string): void => {
      const found = JSON.stringify(filesOf(wholeTree(room.folder)));
      if (found !== JSON.stringify(filesOf(expected)))
        tally.wrong.push(`${what}: ${text}\n${input}\n${found}\n${JSON.stringify(filesOf(expected))}`);
    };
    const change = await room.call(applyPatchTool, { input });
    if (!change.ok && !/^Error identical/.test(change.text)) tally.wrong.push(`${change.text}\n${input}`);
    check('the patch', files, change.text);
    if (change.ok) {
      const undone = await room.call(undoTool, { id: change.receipt.id });
      check('Undo', before, undone.text);
      const again = await room.call(undoTool, { id: undone.receipt.id });
      check('Undo of Undo', files, again.text);
      tally.undone += 1;
    }
    tally.patches += 1;
    await room.close();
  }
  return tally;
}

/** In the order of their names; folders come and go with what is in them. */
function filesOf(tree: Tree): readonly (readonly [string, unknown])[] {
  const names = Object.keys(tree).filter((name) => !name.endsWith('/'));
  return names.sort().map((name) => [name, tree[name]]);
}

function plant(folder: string, random: () => number): void {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const here = NAMES.filter(() => random() < 0.7);
  const attributes: { path: string; name: string; value: string }[] = [];
  for (const [index, name] of here.entries()) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const first = here[Math.floor(random() * index)];
    if (first !== undefined && index > 0 && random() < 0.3) {
      linkSync(join(folder, first), path);
      continue;
    }
    writeFileSync(path, pick(CONTENTS));
    if (process.geteuid?.() === 0 && random() < 0.4) chownSync(path, 1000 + Math.floor(random() * 9), 2000);
    chmodSync(path, pick(MODES));
    // The programs behind an executor know nothing of attributes.
    if (canSetAttributes() && !isFar && random() < 0.3) attributes.push({ path, name: 'user.of', value: name });
  }
  setAttributes(attributes);
  if (readdirSync(folder).length > 0) symlinkSync(here[0] ?? 'nowhere', join(folder, 'link'));
}

/** A patch, and the files after it by the plainest model: names that stand for files. */
function randomPatch(
  before: Tree,
  random: () => number,
  parts: Record<string, number>,
): { readonly lines: readonly string[]; readonly files: Tree } {
  interface Standing {
    readonly file: WholeFile;
    /** The name that it had; `undefined`: it is new. */
    readonly from: string | undefined;
  }
  const now = new Map<string, Standing>();
  const links: Tree = {};
  for (const [name, file] of Object.entries(before)) {
    if (typeof file === 'string') links[name] = file;
    else now.set(name, { file, from: name });
  }
  const lines: string[] = [];
  const pick = (names: readonly string[]): string | undefined => names[Math.floor(random() * names.length)];
  const steps = 1 + Math.floor(random() * 7);
  for (let step = 0; step < steps; step += 1) {
    const kind = random();
    const here = pick([...now.keys()]);
    const free = pick(NAMES.filter((name) => !now.has(name)));
    const standing = here === undefined ? undefined : now.get(here);
    const count = (what: string): void => {
      parts[what] = (parts[what] ?? 0) + 1;
    };
    if (kind < 0.6 && here !== undefined && free !== undefined && standing) {
      lines.push(`*** Update File: ${here}`, `*** Move to: ${free}`);
      now.delete(here);
      now.set(free, standing);
      count('move');
    } else if (kind < 0.8 && here !== undefined) {
      lines.push(`*** Delete File: ${here}`);
      now.delete(here);
      count('delete');
    } else if (free !== undefined) {
      lines.push(`*** Add File: ${free}`, `+new ${step}`);
      now.set(free, { file: newFile(`new ${step}\n`), from: undefined });
      count('add');
    }
  }
  // A name whose file went, and at which a new one came, keeps its permissions and its owner.
  const left = new Set([...now.values()].map(({ from }) => from));
  const files: Tree = { ...links };
  const groups = new Map<string, string[]>();
  for (const [name, { from }] of now) {
    const group = from === undefined ? `new ${name}` : (before[from] as WholeFile).names;
    groups.set(group, [...(groups.get(group) ?? []), name].sort());
  }
  for (const [name, { file, from }] of now) {
    const old = before[name];
    const isRewritten = from === undefined && typeof old === 'object' && !left.has(name) && isText(old);
    const isShared = typeof old === 'object' && old.names.includes(' = ');
    const mode = isRewritten ? Number.parseInt(old.mode, 8) & (isShared ? 0o777 : 0o7777) : 0;
    const group = from === undefined ? `new ${name}` : (before[from] as WholeFile).names;
    files[name] = {
      ...file,
      ...(isRewritten && { mode: mode.toString(8), owner: old.owner, attributes: isShared ? '' : old.attributes }),
      names: (groups.get(group) ?? []).join(' = '),
    };
  }
  return { lines, files };
}

function isText({ content }: WholeFile): boolean {
  return !content.startsWith('\0\x01');
}

function newFile(content: string): WholeFile {
  const owner = `${process.geteuid?.()}:${process.getegid?.()}`;
  return { mode: (0o666 & ~process.umask()).toString(8), owner, content, attributes: '', names: '' };
}
