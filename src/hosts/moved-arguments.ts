import { isWithin } from '../workspace/deny-list.ts';

const PATH_KEYS = new Set(['file_path', 'filePath', 'path', 'file', 'filename', 'absolute_path', 'target_file']);
const PATCH_KEYS = new Set(['input', 'patch', 'patchText', 'patch_text']);
const PATCH_PATH = /^([^\S\r\n\u2028\u2029]*\*\*\* (?:(?:Add|Update|Delete) File|Move to): *)(\/.*)$/gm;

/** The arguments of a call with the absolute paths in them moved from one root to another. */
export function movedArguments(args: unknown, roots: { readonly from: string; readonly to: string }): unknown {
  const moved = (path: string): string =>
    isWithin(roots.from, path) ? roots.to + path.slice(roots.from.length) : path;
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      if (PATH_KEYS.has(key)) return moved(value);
      if (!PATCH_KEYS.has(key)) return value;
      return value.replace(PATCH_PATH, (_all, head: string, path: string) => head + moved(path));
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, name)]));
  };
  return walk(args, '');
}
