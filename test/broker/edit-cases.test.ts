import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { replace } from '../../src/broker/replace.ts';

interface EditCase {
  readonly id: string;
  readonly path: string;
  readonly before: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
  readonly expect: 'apply' | 'reject';
  readonly after: string | null;
  readonly note?: string;
  /** To refuse is right too: only a wrong edit counts. */
  readonly may_refuse?: boolean;
}

function casesOf(name: string): readonly EditCase[] {
  const lines = readFileSync(join(import.meta.dirname, 'cases', name), 'utf8')
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => JSON.parse(line) as EditCase);
}

/** The edit as it should be made, or refused without a change. */
function check(each: EditCase): void {
  const { before, old_string, new_string, replace_all = false, path } = each;
  const result = replace(before, old_string, new_string, { replaceAll: replace_all, path });
  if (each.expect === 'reject') {
    expect(result, each.note).toMatchObject({ status: 'refused' });
    return;
  }
  if (each.may_refuse && result.status === 'refused') return;
  expect(result.status === 'applied' ? result.text : result.message, each.note).toBe(each.after);
}

describe.each([
  ['cases from reports', 'edit.jsonl', 64],
  ['hard cases', 'hard-edit.jsonl', 82],
  ['hazards by authors who had not seen the engine', 'adversarial-hazards.jsonl', 200],
  ['drifts by authors who had not seen the engine', 'adversarial-drifts.jsonl', 200],
  ['hazards on small texts of many kinds, written before the engine was read', 'outside-hazards.jsonl', 103],
  ['drifts on small texts of many kinds, written before the engine was read', 'outside-drifts.jsonl', 102],
])('%s', (_name, file, count) => {
  const cases = casesOf(file);
  test('are all there', () => expect(cases).toHaveLength(count));
  test.each(cases.map((each) => [each.id, each] as const))('%s', (_id, each) => check(each));
});
