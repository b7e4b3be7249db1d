import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { globTool } from '../../src/tools/glob.ts';
import { repairArguments } from '../../src/tools/repair-arguments.ts';
import { openToolRoom } from '../support/tool-room.ts';

const schema = z.strictObject({
  path: z.string(),
  edits: z.array(z.string()).min(1).optional(),
  wait_ms: z.int().min(0).max(600_000).optional(),
  severity: z.enum(['error', 'warning']).optional(),
});

test.each<[string, object, string]>([
  ['no item', { edits: [] }, 'edits is [], and takes at least 1 item'],
  ['too small a number', { wait_ms: -5 }, 'wait_ms is -5, and takes at least 0'],
  ['too large a number', { wait_ms: 600_001 }, 'wait_ms is 600001, and takes at most 600000'],
  ['a part of a number', { wait_ms: 1.5 }, 'wait_ms is 1.5, not a whole number'],
  ['none of a few words', { severity: 'fatal' }, 'severity is "fatal", and takes one of error, warning'],
  ['an object for a text', { path: {} }, 'path is {}, not a string'],
])('%s is said with the value and with what is taken', (_what, wrong, message) => {
  expect(repairArguments(schema, { path: 'a', ...wrong })).toEqual({
    status: 'invalid',
    message: `${message}. The parameters are path*, edits, wait_ms, severity.`,
  });
});

test('of many mistakes the first are said', () => {
  const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, 1]));
  const said = repairArguments(schema, { path: 'a', ...keys });
  expect(said.status === 'invalid' && said.message).toMatch(
    /^unknown "key0", .*"key7", and 9992 more\. The parameters/,
  );
  const many = repairArguments(schema, { path: 'a', edits: Array.from({ length: 10_000 }, () => 1) });
  expect(many.status === 'invalid' && many.message).toMatch(/^edits\.0 is 1, not a string; .*; and 9992 more\. /);
});

test.each<[string, (levels: unknown) => unknown]>([
  ['an argument', (levels) => ({ path: levels })],
  ['all of them', (levels) => levels],
  ['a list as JSON text', (levels) => ({ path: 'a', edits: JSON.stringify(levels).slice(0, 20_000) })],
])('%s that is nested deeply is refused, whatever tool is named', async (_what, sent) => {
  const room = await openToolRoom({ 'a.txt': 'one\n' });
  onTestFinished(() => room.close());
  let levels: unknown = 'x';
  for (let level = 0; level < 2_000; level += 1) levels = [levels];
  for (const tool of [globTool, { ...globTool, name: 'Other' }]) {
    const { ok, text } = await room.call(tool, sent(levels));
    expect({ ok, text }).toEqual({ ok: false, text: expect.stringMatching(/^Error invalid_arguments: /) });
  }
  let deepest: unknown = 'x';
  for (let level = 0; level < 200_000; level += 1) deepest = { level: deepest };
  const { text } = await room.call(globTool, { pattern: deepest });
  expect(text).toBe('Error invalid_arguments: the arguments are nested too deeply. Give an object of the parameters.');
});
