import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { shortened } from '../workspace/truncation.ts';
import { argumentFault } from './argument-fault.ts';
import { isNestedTooDeeply } from './nested-too-deeply.ts';
import { aliasesOf, isRemark } from './parameter-names.ts';

/** More mistakes of one call would hide the first. */
const MAX_SHOWN = 8;
/** UTF-16 units of a value that is told back. */
const MAX_VALUE = 60;

type RepairedArguments =
  | { readonly status: 'parsed'; readonly args: Record<string, unknown>; readonly notes: readonly string[] }
  | { readonly status: 'invalid'; readonly message: string };

/** What was understood otherwise than it was written, and keys that say different things of one parameter. */
interface Said {
  readonly notes: string[];
  readonly conflicts: string[];
}

/**
 * Reads what a model sent against a tool's schema: other families' parameter names, `"true"`, numbers as strings and
 * arrays as JSON text are understood, and said once in `notes`; what can't be understood is named with its value. Two
 * names of one parameter are understood where they say the same.
 */
export function repairArguments(schema: z.ZodObject, raw: unknown): RepairedArguments {
  const given = typeof raw === 'string' ? parsedJson(raw) : raw;
  if (!isRecord(given)) {
    const what = typeof raw === 'string' && given === undefined ? `the text ${shown(raw)}` : nameOf(given);
    return { status: 'invalid', message: `the arguments are ${what}, not an object of ${keysOf(schema)}.` };
  }
  const said: Said = { notes: [], conflicts: [] };
  const renamed = renameKeys(schema, given, said);
  const args = convertValues(schema, withStoppedJob(schema, renamed), said);
  if (said.conflicts.length > 0) {
    const message = `${firstOf(said.conflicts, '; ')}. The parameters are ${keysOf(schema)}.`;
    return { status: 'invalid', message };
  }
  const parsed = schema.safeParse(args);
  if (parsed.success) return { status: 'parsed', args: parsed.data, notes: said.notes };
  return { status: 'invalid', message: messageOf(schema, parsed.error, args) };
}

function renameKeys(schema: z.ZodObject, given: Record<string, unknown>, said: Said): Record<string, unknown> {
  const known = Object.keys(schema.shape);
  const taken = new Map<string, readonly [key: string, value: unknown]>();
  for (const [key, value] of Object.entries(given)) {
    const meant = meantBy(key, known, given);
    if (meant === undefined && isRemark(key, value)) continue;
    const name = meant ?? key;
    const before = taken.get(name);
    if (before && value === null) continue;
    if (before && before[1] !== null && !isDeepStrictEqual(before[1], value)) {
      const [first, second] = [before, [key, value] as const].map(([one, held]) => `${one} ${shown(held)}`);
      said.conflicts.push(`${first} and ${second} are both ${name} and differ: give one of them`);
      continue;
    }
    if (name !== key) said.notes.push(`${key} is ${name} here`);
    taken.set(name, [key, value]);
  }
  return Object.fromEntries([...taken].map(([name, [, value]]) => [name, value]));
}

/** The parameter that a key stands for; one that the call does not give under its own name before one that it does. */
function meantBy(key: string, known: readonly string[], given: Record<string, unknown>): string | undefined {
  if (known.includes(key)) return key;
  const names = known.filter((name) => aliasesOf(name).includes(key));
  return names.find((name) => !Object.hasOwn(given, name)) ?? names[0];
}

function convertValues(schema: z.ZodObject, args: Record<string, unknown>, said: Said): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).flatMap(([key, value]): [string, unknown][] => {
      const field = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
      if (field === undefined) return [[key, value]];
      if (value === null && acceptsNothing(field)) return [];
      if (z.safeParse(field as z.ZodType, value).success) return [[key, value]];
      const items = Array.isArray(value) ? repairItems(field, value, said) : undefined;
      if (items) return [[key, items]];
      const line = Array.isArray(value) && key === 'command' ? commandLine(value) : undefined;
      if (line !== undefined) return [[key, line]];
      if (typeof value !== 'string') return [[key, value]];
      const decoded = parsedJson(value.trim());
      const list = Array.isArray(decoded) ? (repairItems(field, decoded, said) ?? decoded) : decoded;
      if (list === undefined || !z.safeParse(field as z.ZodType, list).success) return [[key, value]];
      said.notes.push(`${key} was text, read as ${nameOf(list)}`);
      return [[key, list]];
    }),
  );
}

/** `{"job": 2, "stop": true}` ends job 2, and with `false` it reads it: `stop` takes the number of a job. */
function withStoppedJob(schema: z.ZodObject, args: Record<string, unknown>): Record<string, unknown> {
  const { stop, job, ...rest } = args;
  if (!Object.hasOwn(schema.shape, 'stop') || job === undefined || job === null) return args;
  if (stop === true || stop === 'true') return { ...rest, stop: job };
  return stop === false || stop === 'false' ? { ...rest, job } : args;
}

/** Some families give a command as a list of words, most often a shell and what it is to run. */
function commandLine(words: readonly unknown[]): string | undefined {
  if (!words.every((word) => typeof word === 'string')) return undefined;
  const [shell = '', option = '', script] = words;
  if (words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(option)) return script;
  return words.map((word) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** The objects of an array parameter have parameters of their own. */
function repairItems(field: unknown, items: readonly unknown[], said: Said): readonly unknown[] | undefined {
  const array = field instanceof z.ZodOptional ? field.unwrap() : field;
  if (!(array instanceof z.ZodArray) || !(array.element instanceof z.ZodObject)) return undefined;
  const element: z.ZodObject = array.element;
  return items.map((item) => (isRecord(item) ? convertValues(element, renameKeys(element, item, said), said) : item));
}

function messageOf(schema: z.ZodObject, error: z.ZodError, args: Record<string, unknown>): string {
  const parts = error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `unknown ${firstOf(issue.keys.map(shown), ', ')}`;
    const at = issue.path.map(String).join('.');
    const value = issue.path.reduce<unknown>(
      (inner, key) => (isRecord(inner) || Array.isArray(inner) ? Reflect.get(inner, key) : undefined),
      args,
    );
    if (value === undefined) return `${at} is missing`;
    return `${at} ${argumentFault(issue, shown(value))}`;
  });
  return `${firstOf([...new Set(parts)], '; ')}. The parameters are ${keysOf(schema)}.`;
}

function firstOf(parts: readonly string[], separator: string): string {
  const shown = parts.slice(0, MAX_SHOWN).join(separator);
  return parts.length > MAX_SHOWN ? `${shown}${separator}and ${parts.length - MAX_SHOWN} more` : shown;
}

function keysOf(schema: z.ZodObject): string {
  return Object.entries(schema.shape)
    .map(([key, field]) => (acceptsNothing(field) ? key : `${key}*`))
    .join(', ');
}

function acceptsNothing(field: unknown): boolean {
  return z.safeParse(field as z.ZodType, undefined).success;
}

function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isNestedTooDeeply(value) ? undefined : value;
  } catch {
    // Not JSON: then it is the text that it is.
    return undefined;
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return shortened(text, MAX_VALUE);
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
