import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAMES, type ToolCallRequest } from './random-calls.ts';

/** A change of several files at once: edits of some, or a patch that changes, moves, adds and deletes. */
export function randomBroadCall(root: string, random: () => number): ToolCallRequest {
  const shuffled = [...NAMES].sort(() => random() - 0.5);
  const here = shuffled.filter((name) => existsSync(join(root, name)));
  const away = shuffled.filter((name) => !here.includes(name));
  const tag = Math.floor(random() * 1e9).toString(36);
  const linesOf = (name: string): readonly string[] =>
    readFileSync(join(root, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  const changes = here.slice(0, 1 + Math.floor(random() * 3)).flatMap((name) => {
    const lines = linesOf(name);
    const line = lines[Math.floor(random() * lines.length)];
    return line === undefined ? [] : [{ name, line, changed: `${line} ${tag}` }];
  });
  if (random() < 0.4) {
    const edits = changes.map(({ name, line, changed }) => ({
      file_path: name,
      old_string: line,
      new_string: changed,
    }));
    const made = away.slice(0, 1).map((name) => ({ file_path: name, old_string: '', new_string: `new ${tag}\n` }));
    return { name: 'MultiEdit', args: { edits: [...edits, ...made] } };
  }
  const free = [...away];
  const parts = changes.flatMap(({ name, line, changed }) => {
    const target = random() < 0.4 ? free.shift() : undefined;
    const head = [`*** Update File: ${name}`, ...(target === undefined ? [] : [`*** Move to: ${target}`])];
    return [...head, '@@', `-${line}`, `+${changed}`];
  });
  const added = free.shift();
  const gone = here.at(-1);
  if (added !== undefined && random() < 0.6) parts.push(`*** Add File: ${added}`, `+${tag}`, `+more ${tag}`);
  if (gone !== undefined && !changes.some(({ name }) => name === gone) && random() < 0.5)
    parts.push(`*** Delete File: ${gone}`);
  return { name: 'apply_patch', args: { input: ['*** Begin Patch', ...parts, '*** End Patch'].join('\n') } };
}
