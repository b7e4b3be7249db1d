import { entityAt } from './fold.ts';

/** Both strings of an edit. */
export interface Strings {
  readonly oldString: string;
  readonly newString: string;
}

/** Strings that had line numbers; of a single line the number that it must stand at. */
interface Stripped extends Strings {
  readonly onlyLine?: number;
}

/** A way to undo what was put on the whole of a string: `undefined` where it is not there. */
type Undo = (text: string) => string | undefined;

const NEWLINES: Undo = (text) => replaced(text, /\\r\\n|\\n/g, () => '\n');
const TABS: Undo = (text) => replaced(text, /\\t/g, () => '\t');
const QUOTES: Undo = (text) => replaced(text, /\\(["'`$])/g, (_, quote) => quote ?? '');
const ALL_ESCAPES: Undo = (text) =>
  replaced(
    text,
    /\\(["'`$\\/nrt])/g,
    (_, character) => ({ n: '\n', r: '\r', t: '\t' })[character ?? ''] ?? character ?? '',
  );
const BACKSLASHES: Undo = (text) => replaced(text, /\\\\/g, () => '\\');
const ENTITIES: Undo = (text) => replaced(text, /&#?\w+;/g, (entity) => entityAt(entity, 0)?.[1] ?? entity);

function replaced(
  text: string,
  pattern: RegExp,
  by: (match: string, group: string | undefined) => string,
): string | undefined {
  const result = text.replace(pattern, by);
  return result === text ? undefined : result;
}

/** Both strings with one kind of escape decoded once, for each kind that old_string has. */
export function decodedVariants(strings: Strings): readonly Strings[] {
  return [NEWLINES, QUOTES, TABS, ALL_ESCAPES, BACKSLASHES, ENTITIES].flatMap((undo) => {
    const oldString = undo(strings.oldString);
    return oldString === undefined ? [] : [{ oldString, newString: undo(strings.newString) ?? strings.newString }];
  });
}

/** Both strings without blank lines, a fence or line numbers around or before their lines, for each that old_string has. */
export function strippedVariants(strings: Strings): readonly Stripped[] {
  return [withoutBlankEnds, withoutFence, withoutNumbers].flatMap((strip) => strip(strings) ?? []);
}

function withoutBlankEnds({ oldString, newString }: Strings): Strings | undefined {
  const strip = (text: string): string => withoutLastLines(text.replace(/^(?:[^\S\r\n]*(?:\r\n|\r|\n))+/, ''));
  const stripped = strip(oldString);
  if (stripped === oldString || stripped.trim() === '') return undefined;
  return { oldString: stripped, newString: strip(newString) };
}

/** From the line end on after which there are only blanks. */
function withoutLastLines(text: string): string {
  const bare = text.trimEnd().length;
  const end = text.slice(bare).search(/[\r\n]/);
  return end < 0 ? text : text.slice(0, bare + end);
}

interface Fenced {
  readonly mark: string;
  /** The line that opens it. */
  readonly opening: string;
  readonly inner: string;
}

/** A fence that opens with the first line and closes with the last; blank lines around it do not count. */
function fenced(text: string): Fenced | undefined {
  const lines = text.trim().split(/\r\n|\r|\n/);
  const [first = ''] = lines;
  const mark = /^(?:`{3,}|~{3,})/.exec(first)?.[0];
  if (mark === undefined || lines.length < 3 || first.slice(mark.length).includes('`')) return undefined;
  const body = text.trim();
  const breakAfter = /\r\n|\r|\n/.exec(body.slice(first.length))?.[0].length ?? 0;
  const last = lines.at(-1) ?? '';
  if (last.trim() !== mark) return undefined;
  const inside = body.slice(first.length + breakAfter, body.length - last.length);
  return { mark, opening: first.trimEnd(), inner: inside.replace(/(?:\r\n|\r|\n)$/, '') };
}

function withoutFence({ oldString, newString }: Strings): Strings | undefined {
  const { mark = '', opening, inner = '' } = fenced(oldString) ?? {};
  const replacing = fenced(newString);
  const now = replacing?.inner ?? newString;
  if (inner.trim() === '') return undefined;
  // The fence itself is to become another, or to go: it was not put around the strings.
  if (replacing?.opening !== opening) return undefined;
  // Where a line inside closes it already, the outer two are none of one block.
  const closing = new RegExp(`^[^\\S\\r\\n]*${mark}+[^\\S\\r\\n]*$`, 'm');
  if (closing.test(inner) || closing.test(now)) return undefined;
  return { oldString: inner, newString: now };
}

const NUMBERED = /^[^\S\r\n]*(\d+)(?:(?:\t|→|[^\S\r\n]*\| ?|: )(.*)|[^\S\r\n]*[|:→]?)$/;

/** Numbers as a reader puts them before lines: one more each line. */
function withoutNumbers({ oldString, newString }: Strings): Stripped | undefined {
  const bare = unnumbered(oldString);
  if (bare === undefined) return undefined;
  const stripped = { oldString: bare, newString: unnumbered(newString) ?? newString };
  return /[\r\n]./.test(oldString) ? stripped : { ...stripped, onlyLine: Number.parseInt(oldString.trim(), 10) };
}

function unnumbered(text: string): string | undefined {
  const lines = text.split('\n');
  const last = lines.length > 1 && lines.at(-1)?.trim() === '' ? lines.pop() : undefined;
  let expected: number | undefined;
  const bare: string[] = [];
  for (const line of lines) {
    const match = NUMBERED.exec(line.replace(/\r$/, ''));
    const number = Number(match?.[1]);
    if (!match || (expected !== undefined && number !== expected)) return undefined;
    expected = number + 1;
    bare.push((match[2] ?? '') + (line.endsWith('\r') ? '\r' : ''));
  }
  return [...bare, ...(last === undefined ? [] : [last])].join('\n');
}
