import { languageIdOf } from '../workspace/document-snapshot.ts';
import { exportedNames, isScript } from './exported-names.ts';
import { moduleName } from './module-name.ts';

const WORD = '[\\p{L}_$][\\p{L}\\p{N}_$]*';
const WORDS = new RegExp(WORD, 'gu');
const STATEMENT = /^[^\s)\]}].*(?:\r?\n(?:[ \t)\]}].*)?)*/gm;
const RENAMED = new RegExp(`\\b(${WORD})\\s+as\\s+(${WORD})`, 'gu');
const KIND = '(?:const\\s+enum|const|let|var|function\\s*\\*?|class|interface|type|enum|namespace)';
const DECLARATION = new RegExp(
  `^(?:export\\s+|default\\s+|declare\\s+|abstract\\s+|async\\s+)*${KIND}\\s+(${WORD})`,
  'u',
);
/** What has its type written down is no other because what it is made from is. */
const TYPED = [
  /^[^={]*\bfunction\b[^{]*\)\s*:\s*[^\s{][^{]*(?=\{)/,
  /^(?:export\s+)?(?:const|let|var)\s+[\w$]+\s*:(?:[^=]|=>)*=(?![>=])/,
];

/**
 * The names by which others have what rests on one of these in a file: a value or a type made from it. Pure: it goes by
 * the text alone, so in doubt a name is among them. Of Python nothing: pyright's errors in what is inferred from afar
 * depend on what it was asked before.
 */
export function restingNames(text: string, path: string, names: ReadonlySet<string>): readonly string[] {
  const languageId = languageIdOf(path);
  if (!isScript(languageId)) return [];
  const made = new Map<string, string[]>();
  for (const { name, from } of (text.match(STATEMENT) ?? []).flatMap(readStatement)) {
    for (const word of from) {
      const those = made.get(word);
      if (those) those.push(name);
      else made.set(word, [name]);
    }
  }
  const known = new Set(names);
  const waiting = [...names];
  for (let word = waiting.pop(); word !== undefined; word = waiting.pop()) {
    for (const name of made.get(word) ?? []) {
      if (!known.has(name)) waiting.push(name);
      known.add(name);
    }
  }
  const exported = exportedNames(text, languageId);
  const resting = [...known].filter((name) => !names.has(name) && exported.has(name));
  const isHandedOver = [...known].some((name) => exported.isDefault(name));
  return [...resting.flatMap((name) => [name, ...exported.aliases(name)]), ...(isHandedOver ? [moduleName(path)] : [])];
}

/** What a statement declares, and the words that its type may rest on. */
interface Declared {
  readonly name: string;
  readonly from: ReadonlySet<string>;
}

function readStatement(statement: string): readonly Declared[] {
  if (/^import\b/.test(statement)) {
    return [...statement.matchAll(RENAMED)].map(([, from = '', name = '']) => ({ name, from: new Set([from]) }));
  }
  const name = DECLARATION.exec(statement)?.[1];
  const face = TYPED.map((typed) => typed.exec(statement)?.[0]).find((one) => one !== undefined) ?? statement;
  return name === undefined ? [] : [{ name, from: new Set(face.match(WORDS)) }];
}
