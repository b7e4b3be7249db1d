import { dirname, join } from 'node:path';
import type { Props } from 'editorconfig';
import { type DocumentStore, type StoredStat, StoreError } from './document-store.ts';
import { affordableSections, isRootConfig } from './editor-config-sections.ts';
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

const MAX_BYTES = 256 * 1024;

/** Settings from `.editorconfig`, as it is now. The parser is loaded when there is something to parse. */
export function createEditorConfig(store: Pick<DocumentStore, 'read' | 'stat'>): EditorConfig {
  const known = new Map<string, { readonly stamp: string; readonly file: ConfigFile | undefined }>();

  const fileIn = async (folder: string): Promise<ConfigFile | undefined> => {
    const name = join(folder, '.editorconfig');
    const stat = await statOf(store, name);
    if (stat?.kind !== 'file' || stat.size > MAX_BYTES) return undefined;
    const stamp = `${stat.mtimeMs}:${stat.size}`;
    const last = known.get(name);
    if (last?.stamp === stamp) return last.file;
    const file = await readConfig(store, name);
    known.set(name, { stamp, file });
    return file;
  };

  return {
    async settingsFor(path) {
      // At once: a file far down is asked about many folders, in which there hardly ever is one.
      const found = (await Promise.all(foldersAbove(path).map(fileIn))).filter((file) => file !== undefined);
      const last = found.findIndex(({ isRoot }) => isRoot);
      const files = last === -1 ? found : found.slice(0, last + 1);
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

/** The innermost first. */
function foldersAbove(path: string): readonly string[] {
  const folders = [dirname(path)];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) folders.push(dirname(folder));
  return folders;
}

async function statOf(store: Pick<DocumentStore, 'stat'>, name: string): Promise<StoredStat | undefined> {
  try {
    return await store.stat(name);
  } catch (error) {
    // Settings that can't be looked at are settings that there are not.
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

async function readConfig(store: Pick<DocumentStore, 'read'>, name: string): Promise<ConfigFile | undefined> {
  try {
    const content = await store.read(name);
    const text = content.kind === 'file' ? Buffer.from(content.bytes).toString('utf8') : content.text;
    return { name, contents: Buffer.from(affordableSections(text)), isRoot: isRootConfig(text) };
  } catch (error) {
    // The same for those that may not be read, above the roots say.
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
