import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { z } from 'zod';
import { nearestName } from '../../workspace/nearest-name.ts';
import { shortened } from '../../workspace/truncation.ts';
import { UsageError } from '../usage-error.ts';
import { SETTING_NAMES, type Settings, settingsSchema } from './settings.ts';

/** More of them would hide the first. */
const MAX_SHOWN = 5;
const MAX_VALUE = 60;

/** Where settings stand: a file of their own, or a member of a file that is something else too. */
interface SettingsText {
  readonly file: string;
  readonly text: string;
  readonly member?: string;
}

/**
 * The settings in a text of JSON, in which comments and trailing commas may stand; `undefined` where the member is not
 * there.
 * @throws UsageError with the line of each mistake, the value and what would be right
 */
export function parseSettings(source: SettingsText): Settings | undefined {
  const errors: ParseError[] = [];
  const tree = treeOf(source, errors);
  const node = source.member === undefined ? tree : memberOf(tree, source, errors.length > 0);
  if (source.member !== undefined && node === undefined) return undefined;
  const [broken] = errors;
  if (broken || !node) {
    const what = broken ? `it is not JSON (${printParseErrorCode(broken.error)})` : 'it is empty';
    throw failure(linesOf(source, [{ offset: broken?.offset ?? 0, what }]));
  }
  const faults = [...keyFaults(node)];
  if (faults.length > 0) throw failure(linesOf(source, faults));
  const parsed = settingsSchema.safeParse(getNodeValue(node));
  if (parsed.success) return parsed.data;
  throw failure(
    linesOf(
      source,
      parsed.error.issues.flatMap((issue) => issueFaults(issue, node)),
    ),
  );
}

interface Fault {
  /** UTF-16, in the text. */
  readonly offset: number;
  readonly what: string;
}

/** In the order of the text. */
function linesOf({ file, text }: SettingsText, faults: readonly Fault[]): readonly string[] {
  return [...faults]
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, what }) => `${file}:${placeOf(text, offset)}: ${what}`);
}

function treeOf({ file, text }: SettingsText, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw failure([`${file}: it is nested too deeply`]);
    throw error;
  }
}

/**
 * The value of a member of the outermost object. In a text that is no JSON it may stand anywhere: that it is there at all
 * makes the text's faults ours; a manifest that has none is somebody else's to mend.
 */
function memberOf(tree: Node | undefined, { file, member = '' }: SettingsText, isBroken: boolean): Node | undefined {
  const found = (isBroken ? everyProperty(tree) : (tree?.children ?? [])).filter(
    ({ children: [key, value] = [] }) => key?.value === member && (!isBroken || value?.type === 'object'),
  );
  if (found.length > 1) throw failure([`${file}: ${member} stands there ${found.length} times. Leave one`]);
  return found[0]?.children?.[1];
}

function everyProperty(tree: Node | undefined): readonly Node[] {
  const found: Node[] = [];
  const open = tree ? [tree] : [];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'property') found.push(node);
    open.push(...(node.children ?? []));
  }
  return found;
}

/** Names that stand twice, of which parsers drop one in silence, and those that mean something else to JavaScript. */
function* keyFaults(node: Node): Iterable<Fault> {
  const open = [node];
  for (let one = open.pop(); one; one = open.pop()) {
    const seen = new Set<string>();
    for (const child of one.children ?? []) {
      open.push(child);
      const [key] = child.type === 'property' ? (child.children ?? []) : [];
      if (!key) continue;
      const name = String(key.value);
      if (seen.has(name)) yield { offset: key.offset, what: `${shown(name)} stands there twice. Leave one` };
      if (name === '__proto__') yield { offset: key.offset, what: '"__proto__" is no name. Remove it' };
      seen.add(name);
    }
  }
}

function issueFaults(issue: z.core.$ZodIssue, node: Node): readonly Fault[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  const offsetOf = (parts: readonly (string | number)[]): number =>
    findNodeAtLocation(node, [...parts])?.offset ?? node.offset;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const meant = nearestName(key, SETTING_NAMES);
      const hint = meant === undefined ? `There are ${SETTING_NAMES.join(', ')}` : `Did you mean ${meant}?`;
      return { offset: offsetOf([...path, key]), what: `there is no setting ${shown(key)}. ${hint}` };
    });
  }
  if (path.length === 0) {
    return [{ offset: node.offset, what: `settings are ${shown(getNodeValue(node))}. Give an object` }];
  }
  const found = findNodeAtLocation(node, [...path]);
  const value: unknown = found && getNodeValue(found);
  return [{ offset: offsetOf(path), what: `${path.join('.')} is ${shown(value)}. ${issue.message}` }];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return shortened(text, MAX_VALUE);
}

/** Line and column, both 1-based. */
function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}

function failure(faults: readonly string[]): UsageError {
  const more = faults.length - MAX_SHOWN;
  const lines = more > 0 ? [...faults.slice(0, MAX_SHOWN), `and ${more} more`] : faults;
  return new UsageError(`${lines.join('\n')}\nNothing was run: mend or remove the settings.`);
}
