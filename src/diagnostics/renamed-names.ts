import { languageIdOf } from '../workspace/document-snapshot.ts';
import { exportedNames, isScript } from './exported-names.ts';
import { moduleName } from './module-name.ts';

const WORD = '[\\p{L}_$][\\p{L}\\p{N}_$]*';
const LIST = /\bexport\s*(?:type\s*)?\{([^}]*)\}(?:\s*from\s*['"]([^'"\r\n]+)['"])?/gu;
const RENAMED = new RegExp(`(?<!\\S)(${WORD})\\s+as\\s+(${WORD})`, 'gu');
const DEFAULT = new RegExp(
  `\\bimport\\s+(?:type\\s+)?(${WORD})\\s*(?:,[^'"]*)?\\sfrom\\s*['"]([^'"\\r\\n]+)['"]`,
  'gu',
);

/**
 * By which other names a file hands on what it has by one of these; a default is had by the name of its file. Pure: it
 * goes by the text alone.
 */
export function renamedNames(text: string, path: string, names: ReadonlySet<string>): readonly string[] {
  const languageId = languageIdOf(path);
  if (languageId === 'python') return path.endsWith('/__init__.py') ? renamedIn(text, names) : [];
  if (!isScript(languageId)) return [];
  const isDefaultOf = (module: string | undefined): boolean => module !== undefined && names.has(moduleName(module));
  const listed = [...text.matchAll(LIST)].flatMap(([, list = '', module]) =>
    renamedIn(list, isDefaultOf(module) ? new Set([...names, 'default']) : names),
  );
  const exported = exportedNames(text, languageId);
  const imported = [...text.matchAll(DEFAULT)].flatMap(([, name = '', module]) =>
    isDefaultOf(module) && exported.has(name) ? [name, ...exported.aliases(name)] : [],
  );
  return [...listed, ...imported].filter((name) => name !== 'default');
}

function renamedIn(list: string, names: ReadonlySet<string>): readonly string[] {
  return [...list.replaceAll(',', ' ').matchAll(RENAMED)].flatMap(([, name = '', as = '']) =>
    names.has(name) ? as : [],
  );
}
