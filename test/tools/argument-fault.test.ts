import { expect, test } from 'vitest';
import { z } from 'zod';
import { repairArguments } from '../../src/tools/repair-arguments.ts';

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
