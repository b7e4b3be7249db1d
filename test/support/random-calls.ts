import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ToolCallRequest {
  readonly name: 'Read' | 'Edit' | 'MultiEdit' | 'Write' | 'apply_patch' | 'Undo';
  readonly args: Readonly<Record<string, unknown>>;
}

/** The files that there may be. */
export const NAMES = ['a.txt', 'b.txt', 'src/c.txt', 'src/deep/d.txt', 'e.md', 'f.md'] as const;

/** The tree that random calls begin on: every line is its own. */
export function firstTree(): Readonly<Record<string, string>> {
  const lines = (name: string): string =>
    Array.from({ length: 30 }, (_, line) => `${line % 3 === 0 ? '' : '  '}${name} line ${line} of the file\n`).join('');
  return Object.fromEntries(NAMES.slice(0, 4).map((name) => [name, lines(name)]));
}

/** The next call of a model that is mostly right: edits, whole files, patches, moves, undo, and some that don't fit. */
export function randomCall(root: string, random: () => number): ToolCallRequest {
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(random() * list.length)];
    if (found === undefined) throw new RangeError('nothing to pick from');
    return found;
  };
  const here = NAMES.filter((name) => existsSync(join(root, name)));
  const away = NAMES.filter((name) => !here.includes(name));
  const file = here.length > 0 ? pick(here) : 'a.txt';
  const path = random() < 0.2 ? join(root, file) : file;
  const lines = here.length > 0 ? readFileSync(join(root, file), 'utf8').split('\n') : [];
  const at = Math.floor(random() * Math.max(1, lines.length - 1));
  const line = lines[at] ?? '';
  const tag = Math.floor(random() * 1e9).toString(36);
  const changed = `${line} ${tag}`;
  const edit = { file_path: path, old_string: line, new_string: random() < 0.3 ? `${changed}\nmore ${tag}` : changed };
  const kind = random();
  if (kind < 0.1) return { name: 'Read', args: { file_path: path } };
  if (kind < 0.4) return { name: 'Edit', args: edit };
  if (kind < 0.48) return { name: 'Edit', args: { ...edit, old_string: line.trim(), new_string: changed.trim() } };
  if (kind < 0.55) return { name: 'Edit', args: { ...edit, old_string: `nothing like ${tag} at all` } };
  if (kind < 0.65) {
    const other = pick(here.length > 1 ? here.filter((name) => name !== file) : NAMES);
    const there = existsSync(join(root, other)) ? readFileSync(join(root, other), 'utf8').split('\n') : [''];
    const old = there[Math.floor(random() * Math.max(1, there.length - 1))] ?? '';
    const second = { file_path: other, old_string: old, new_string: `${old} ${tag}` };
    const made = away.length > 0 ? [{ file_path: pick(away), old_string: '', new_string: `new ${tag}\n` }] : [];
    return { name: 'MultiEdit', args: { edits: [edit, second, ...made], ...(random() < 0.2 && { dry_run: true }) } };
  }
  if (kind < 0.73)
    return { name: 'Write', args: { file_path: path, content: [...lines.slice(0, at), tag, ''].join('\n') } };
  if (kind < 0.78 && away.length > 0) {
    return { name: 'Write', args: { file_path: pick(away), content: `one ${tag}\ntwo ${tag}\nthree ${tag}\n` } };
  }
  if (kind < 0.9) {
    const target = away.length > 0 ? pick(away) : file;
    const parts = [
      ...(random() < 0.3 ? [`*** Update File: ${path}`, `*** Move to: ${target}`] : [`*** Update File: ${path}`]),
      '@@',
      ...lines.slice(Math.max(0, at - 2), at).map((each) => ` ${each}`),
      `-${line}`,
      `+${changed}`,
      ...(random() < 0.4 && away.length > 1
        ? [`*** Add File: ${away.find((name) => name !== target)}`, `+${tag}`]
        : []),
      ...(random() < 0.15 && here.length > 3 ? [`*** Delete File: ${pick(here)}`] : []),
    ];
    return { name: 'apply_patch', args: { input: ['*** Begin Patch', ...parts, '*** End Patch'].join('\n') } };
  }
  return { name: 'Undo', args: {} };
}

/** Someone else changes a file. */
export function meddle(root: string, random: () => number): void {
  const names = readdirSync(root).filter((name) => name.endsWith('.txt') || name.endsWith('.md'));
  const name = names[Math.floor(random() * names.length)];
  if (name !== undefined) appendFileSync(join(root, name), `someone else ${Math.floor(random() * 1e6)}\n`);
}
