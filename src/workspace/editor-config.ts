import { dirname, join } from 'node:path';
import type { Props } from 'editorconfig';
import type { Clock } from './clock.ts';
import { type DocumentStore, StoreError } from './document-store.ts';
import type { LineEndings } from './line-endings.ts';

/** What `.editorconfig` says of one file; what it leaves open is absent. */
export interface EditorSettings {
  /** `latin1`, `utf-8`, `utf-8-bom`, `utf-16be` or `utf-16le`, or another name that was written there. */
  readonly charset?: string;
  readonly endOfLine?: Exclude<LineEndings, 'mixed'>;
  readonly hasFinalNewline?: boolean;
  readonly indentStyle?: 'tab' | 'space';
  /** Columns. */
  readonly indentSize?: number;
}

/** Reads settings through the store that holds the files. */
export interface EditorConfig {
  /** The settings of a file, there or not, from the `.editorconfig` files in its folder and above; absolute path. */
  settingsFor(path: string): Promise<EditorSettings>;
}

/** A file that is changed by hand is seen after so long. */
const FRESH_MS = 1000;
const MAX_BYTES = 256 * 1024;

/** Settings from `.editorconfig`, looked up again after a second. The parser is loaded when there is something to parse. */
export function createEditorConfig(store: Pick<DocumentStore, 'read' | 'stat'>, clock: Clock): EditorConfig {
  const known = new Map<string, { readonly at: number; readonly file: Promise<ConfigFile | undefined> }>();

  const fileIn = (folder: string): Promise<ConfigFile | undefined> => {
    const last = known.get(folder);
    if (last && clock.now() - last.at < FRESH_MS) return last.file;
    const file = readConfig(store, join(folder, '.editorconfig'));
    known.set(folder, { at: clock.now(), file });
    return file;
  };

  return {
    async settingsFor(path) {
      const files: ConfigFile[] = [];
      for (let folder = dirname(path); ; folder = dirname(folder)) {
        const file = await fileIn(folder);
        if (file) files.push(file);
        if (file?.isRoot || folder === dirname(folder)) break;
      }
      if (files.length === 0) return {};
      const { parseFromFilesSync } = await import('editorconfig');
      return settingsOf(parseFromFilesSync(path, files, { unset: true }));
    },
  };
}

interface ConfigFile {
  readonly name: string;
  readonly contents: Buffer;
  readonly isRoot: boolean;
}

async function readConfig(store: Pick<DocumentStore, 'read' | 'stat'>, name: string): Promise<ConfigFile | undefined> {
  try {
    const stat = await store.stat(name);
    if (stat?.kind !== 'file' || stat.size > MAX_BYTES) return undefined;
    const content = await store.read(name);
    const contents = Buffer.from(content.kind === 'file' ? content.bytes : content.text);
    return {
      name,
      contents,
      isRoot: /^[\ufeff\s]*(?:[#;].*\s+)*root\s*=\s*true\s*$/im.test(contents.toString('utf8')),
    };
  } catch (error) {
    // Settings that may not be read, above the roots say, are settings that there are not.
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

function settingsOf(props: Props): EditorSettings {
  const { charset, insert_final_newline, indent_size, tab_width } = props;
  const endOfLine = (['lf', 'crlf', 'cr'] as const).find((kind) => kind === props.end_of_line);
  const indentStyle = (['tab', 'space'] as const).find((style) => style === props.indent_style);
  const size = typeof indent_size === 'number' ? indent_size : tab_width;
  return {
    ...(typeof charset === 'string' && { charset: charset.toLowerCase() }),
    ...(endOfLine && { endOfLine }),
    ...(typeof insert_final_newline === 'boolean' && { hasFinalNewline: insert_final_newline }),
    ...(indentStyle && { indentStyle }),
    ...(typeof size === 'number' && size > 0 && { indentSize: size }),
  };
}
