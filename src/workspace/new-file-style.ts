import { type TextForm, utf8Form } from './document-snapshot.ts';
import type { EditorSettings } from './editor-config.ts';
import { findEncoding } from './encodings/find-encoding.ts';
import { type LineEndings, lineEndingsOf, withLineEndings } from './line-endings.ts';

/** How a file that is new is to be written where the project says so. */
export interface NewFileStyle {
  readonly form: TextForm;
  /** `undefined`: as the content has them. */
  readonly endOfLine: Exclude<LineEndings, 'mixed'> | undefined;
  readonly hasFinalNewline: boolean | undefined;
  readonly indentStyle: 'tab' | 'space' | undefined;
}

/** The style that settings ask for. A charset that can't be written is passed over. */
export function newFileStyle(settings: EditorSettings): NewFileStyle {
  return {
    form: formOf(settings.charset),
    endOfLine: settings.endOfLine,
    hasFinalNewline: settings.hasFinalNewline,
    indentStyle: settings.indentStyle,
  };
}

/**
 * Content in a style: its line ends where it has only LF, and its last one. Indentation is not touched, since a text
 * may mean it; `indentNote` tells of it.
 */
export function styledText(content: string, style: NewFileStyle): string {
  const { endOfLine, hasFinalNewline } = style;
  let text = content;
  if (hasFinalNewline === true && text !== '' && !/[\r\n]$/.test(text)) {
    const own = lineEndingsOf(text);
    text += own === 'crlf' ? '\r\n' : own === 'cr' ? '\r' : '\n';
  }
  if (hasFinalNewline === false) text = text.replace(/(?:\r\n|\r|\n)$/, '');
  return endOfLine === undefined || text.includes('\r') ? text : withLineEndings(text, endOfLine);
}

/** A style in which content that begins with a byte order mark has one. */
export function markedStyle(style: NewFileStyle, content: string): NewFileStyle {
  if (!content.startsWith('\ufeff') || !style.form.encoding.startsWith('utf-')) return style;
  return { ...style, form: { ...style.form, hasBom: true } };
}

/** What to say where every indented line is indented the other way than the project asks for. */
export function indentNote(content: string, style: NewFileStyle): string | undefined {
  const indented = content.match(/^[ \t]+(?=\S)/gm) ?? [];
  if (indented.length === 0 || style.indentStyle === undefined) return undefined;
  const wanted = style.indentStyle === 'tab' ? '\t' : ' ';
  if (indented.some((blanks) => blanks.startsWith(wanted))) return undefined;
  const [asks, has] = style.indentStyle === 'tab' ? ['tabs', 'spaces'] : ['spaces', 'tabs'];
  return `note: .editorconfig asks for ${asks} here; this content is indented with ${has}, and was written so`;
}

function formOf(charset: string | undefined): TextForm {
  if (charset === undefined) return utf8Form();
  const encoding = findEncoding(charset);
  if (!encoding) return utf8Form();
  return { encoding: encoding.name, hasBom: charset === 'utf-8-bom' || encoding.name.startsWith('utf-16') };
}
