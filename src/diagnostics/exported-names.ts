/** What a file lets others have. */
export interface ExportedNames {
  has(name: string): boolean;
  /** Whether others have it without its name: they choose one, and know it by the file's. */
  isDefault(name: string): boolean;
  /** By what other names others have it. */
  aliases(name: string): readonly string[];
}

const SPACE = '[^\\S\\r\\n\\u2028\\u2029]*';
const IS_MODULE = new RegExp(`^${SPACE}(?:import|export)\\b`, 'm');
const EXPORT = new RegExp(`^${SPACE}export\\b`, 'gmu');
const HANDS_OVER = new RegExp(`^${SPACE}(?:module\\.)?exports\\s*=`, 'm');
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Longer lists are cut: nobody writes them. */
const MAX_STATEMENT = 20_000;

/** Reads the exports of a JavaScript or TypeScript text; in doubt a name is among them. Others hide nothing. */
export function exportedNames(text: string, languageId: string): ExportedNames {
  if (!isScript(languageId)) return ALL;
  if (!IS_MODULE.test(text)) return HANDS_OVER.test(text) ? { ...ALL, isDefault: () => true } : ALL;
  const names = new Set<string>(['default', 'global']);
  const defaults = new Set<string>(['default']);
  const aliases = new Map<string, readonly string[]>();
  for (const { index, 0: found } of text.matchAll(EXPORT)) {
    const begin = index + found.length;
    for (const one of readExport(text.slice(begin, begin + MAX_STATEMENT))) {
      names.add(one.name);
      if (one.as === 'default') defaults.add(one.name);
      else if (one.as !== undefined) aliases.set(one.name, [...(aliases.get(one.name) ?? []), one.as]);
    }
  }
  return {
    // A module that is declared has its name in quotes.
    has: (name) => names.has(name) || /^["']/.test(name),
    isDefault: (name) => defaults.has(name),
    aliases: (name) => aliases.get(name) ?? [],
  };
}

/** Whether it is JavaScript or TypeScript, where a file says what others may have of it. */
export function isScript(languageId: string): boolean {
  return /^(?:type|java)script/.test(languageId);
}

const ALL: ExportedNames = { has: () => true, isDefault: () => false, aliases: () => [] };

interface Export {
  readonly name: string;
  readonly as?: string | undefined;
}

/** What stands behind `export`. */
function readExport(rest: string): readonly Export[] {
  const list = /^\s*(?:type\s*)?\{([^}]*)\}/.exec(rest)?.[1];
  if (list !== undefined) return list.split(',').flatMap(readListed);
  const assigned = /^\s*(?:default\b|=)([^\r\n]*)/.exec(rest)?.[1];
  if (assigned !== undefined) return wordsOf(assigned).map((name) => ({ name, as: 'default' }));
  const variables = /^\s+(?:declare\s+)?(?:const|let|var)\b([\s\S]*)/.exec(rest)?.[1];
  // `const enum` is read as any other declaration below.
  if (variables !== undefined && !/^\s+enum\b/.test(variables)) return readVariables(variables);
  return wordsOf(/^[^\r\n=({]*/.exec(rest)?.[0] ?? '').map((name) => ({ name }));
}

function readListed(item: string): readonly Export[] {
  const [name, as] = wordsOf(item.replace(/^\s*type\s+(?!as\b)/, '').replace(/\bas\b/, ' '));
  return name === undefined ? [] : [{ name, as }];
}

/** The first name or all of a pattern, and whatever stands where a further one would. */
function readVariables(rest: string): readonly Export[] {
  const statement = /^[\s\S]*?(?=\r?\n(?![\s}\])])|$)/.exec(rest)?.[0] ?? rest;
  const pattern = /^\s*[{[][\s\S]*?[}\]]\s*(?::[^=]*)?=(?!=)/.exec(statement)?.[0];
  const first = wordsOf(pattern ?? /^[^=:;]*/.exec(statement)?.[0] ?? '');
  const further = [...statement.matchAll(/,\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*[=:!]/gu)].flatMap(([, name]) => name ?? []);
  return [...first, ...further].map((name) => ({ name }));
}

function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}
