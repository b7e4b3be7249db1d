import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { repairArguments } from '../../src/tools/repair-arguments.ts';

const edit = z.strictObject({
  file_path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});
const read = z.strictObject({ file_path: z.string(), offset: z.int().optional(), limit: z.int().optional() });
const search = z.strictObject({ pattern: z.string(), path: z.string().optional() });
const multi = z.strictObject({ file_path: z.string().optional(), edits: z.array(edit.partial()) });

describe('what models send is understood', () => {
  const whole = { file_path: 'a', old_string: 'b', new_string: 'c' };
  test.each<[string, z.ZodObject, unknown, Record<string, unknown>, number]>([
    ['its own names', edit, whole, whole, 0],
    ['camel case', edit, { filePath: 'a', oldString: 'b', newString: 'c' }, whole, 3],
    ['the names of editor tools', edit, { path: 'a', old_str: 'b', new_str: 'c' }, whole, 3],
    ['a boolean as text', edit, { ...whole, replace_all: 'true' }, { ...whole, replace_all: true }, 1],
    ['a number as text', read, { file_path: 'a', offset: '12' }, { file_path: 'a', offset: 12 }, 1],
    ['null for what is optional', read, { file_path: 'a', offset: null }, { file_path: 'a' }, 0],
    ['two names of one parameter that say the same', edit, { ...whole, path: 'a', filePath: 'a' }, whole, 2],
    ['a name without a value beside one that has it', edit, { ...whole, path: null }, whole, 0],
    ['the same the other way round', edit, { path: null, ...whole }, whole, 1],
    [
      'text that looks like a number stays text',
      edit,
      { ...whole, old_string: '12' },
      { ...whole, old_string: '12' },
      0,
    ],
    ['path where the tool has its own path', search, { pattern: 'x', path: 'src' }, { pattern: 'x', path: 'src' }, 0],
    ['arguments as JSON text', edit, JSON.stringify(whole), whole, 0],
    ['an array as JSON text', multi, { edits: JSON.stringify([whole]) }, { edits: [whole] }, 1],
    [
      'other names inside an array',
      multi,
      { edits: [{ filePath: 'a', oldString: 'b', newString: 'c' }] },
      { edits: [whole] },
      3,
    ],
  ])('%s', (_what, schema, raw, args, notes) => {
    const repaired = repairArguments(schema, raw);
    expect(repaired).toMatchObject({ status: 'parsed', args });
    expect(repaired.status === 'parsed' && repaired.notes).toHaveLength(notes);
  });
});

describe('what is not understood is named with its value', () => {
  test.each<[string, z.ZodObject, unknown, RegExp]>([
    [
      'a missing parameter',
      edit,
      { file_path: 'a', new_string: 'c' },
      /^old_string is missing\. The parameters are file_path\*, old_string\*, new_string\*, replace_all\.$/,
    ],
    ['an unknown parameter', edit, { file_path: 'a', old_string: 'b', new_string: 'c', fuzzy: 1 }, /unknown "fuzzy"/],
    ['a wrong type', read, { file_path: 'a', offset: 'twelve' }, /offset is "twelve", not a number/],
    [
      'a long text with pairs',
      read,
      { file_path: 'a', offset: `${'x'.repeat(58)}😀😀` },
      /offset is "x{58}…, not a number/,
    ],
    ['no object', edit, [1], /the arguments are an array, not an object/],
    ['nothing', edit, undefined, /the arguments are nothing/],
    ['text that is no JSON', edit, 'a.txt', /the arguments are the text "a\.txt", not an object of file_path/],
    [
      'both names of one parameter',
      edit,
      { file_path: 'a', filePath: 'z', old_string: 'b', new_string: 'c' },
      /^file_path "a" and filePath "z" are both file_path and differ: give one of them\. The parameters are file_path\*, /,
    ],
    [
      'two other names of one parameter',
      edit,
      { path: 'a.txt', file: 'b.txt', old_string: 'b', new_string: 'c' },
      /^path "a\.txt" and file "b\.txt" are both file_path and differ: give one of them\./,
    ],
    [
      'two other names of one parameter inside an array',
      multi,
      { edits: [{ file_path: 'a', old_str: 'b', oldString: 'B', new_string: 'c' }] },
      /^old_str "b" and oldString "B" are both old_string and differ: give one of them\./,
    ],
    [
      'two other names of one parameter inside an array as JSON text',
      multi,
      { edits: JSON.stringify([{ file_path: 'a', old_str: 'b', oldString: 'B', new_string: 'c' }]) },
      /^old_str "b" and oldString "B" are both old_string and differ: give one of them\./,
    ],
    [
      'a name from Object.prototype',
      edit,
      { file_path: 'a', old_string: 'b', new_string: 'c', constructor: 1 },
      /unknown "constructor"/,
    ],
    [
      '__proto__',
      edit,
      JSON.parse('{"file_path":"a","old_string":"b","new_string":"c","__proto__":{"replace_all":true}}'),
      /unknown "__proto__"/,
    ],
  ])('%s', (_what, schema, raw, message) => {
    const repaired = repairArguments(schema, raw);
    expect(repaired.status === 'invalid' ? repaired.message : repaired).toMatch(message);
  });
});

describe('what families say beside the point is let pass', () => {
  const shell = z.strictObject({ command: z.string(), timeout: z.int().optional(), cwd: z.string().optional() });
  test.each<[string, z.ZodObject, unknown, Record<string, unknown>]>([
    ['a description of a command', shell, { command: 'ls', description: 'Lists files' }, { command: 'ls' }],
    [
      'an instruction beside an edit, and one expected replacement',
      edit,
      { file_path: 'a', old_string: 'b', new_string: 'c', instruction: 'x', expected_replacements: 1 },
      { file_path: 'a', old_string: 'b', new_string: 'c' },
    ],
    ['a shell and its script as words', shell, { command: ['bash', '-lc', 'a && b'] }, { command: 'a && b' }],
    ['a command as words', shell, { command: ['git', 'log', "it's"] }, { command: "git log 'it'\\''s'" }],
    [
      'camel case where the tool itself has camel case',
      z.strictObject({ filePath: z.string(), oldString: z.string() }),
      { file_path: 'a', old_string: 'b' },
      { filePath: 'a', oldString: 'b' },
    ],
  ])('%s', (_what, schema, raw, args) => {
    expect(repairArguments(schema, raw)).toMatchObject({ status: 'parsed', args });
  });

  test('several expected replacements are not let pass: they would be one', () => {
    const raw = { file_path: 'a', old_string: 'b', new_string: 'c', expected_replacements: 3 };
    expect(repairArguments(edit, raw)).toMatchObject({ status: 'invalid' });
  });
});
