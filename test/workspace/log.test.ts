import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLog, LOG_LEVELS, NO_LOG } from '../../src/workspace/log.ts';
import { logLine } from '../../src/workspace/log-line.ts';

function gather(threshold: Parameters<typeof createLog>[0]['threshold']) {
  const lines: string[] = [];
  const clock = { date: () => new Date(0) };
  return { lines, log: createLog({ threshold, clock, append: (line) => void lines.push(line) }) };
}

describe('a log', () => {
  test.each([
    ['off', []],
    ['error', ['error']],
    ['warn', ['error', 'warn']],
    ['info', ['error', 'warn', 'info']],
    ['debug', ['error', 'warn', 'info', 'debug']],
  ] as const)('at %s keeps what is as grave', (threshold, kept) => {
    const { log, lines } = gather(threshold);
    for (const level of LOG_LEVELS) log.write(level, 'x');
    expect(lines).toEqual(kept.map((level) => `time=1970-01-01T00:00:00.000Z level=${level} event=x`));
    expect(LOG_LEVELS.filter((level) => log.keeps(level))).toEqual(kept);
  });

  test('one caller may have more of it than the others', () => {
    const { log, lines } = gather('error');
    log.at('debug').write('debug', 'mine', { receipt: 'e7' });
    log.write('debug', 'theirs');
    expect(lines).toEqual(['time=1970-01-01T00:00:00.000Z level=debug event=mine receipt=e7']);
    expect(NO_LOG.at('debug').keeps('error')).toBe(false);
  });
});

test.each([
  ['src/a.ts', 'x=src/a.ts'],
  ['a b', 'x="a b"'],
  ['', 'x=""'],
  ['a="b"', String.raw`x="a=\"b\""`],
  ['a\nlevel=error event=made-up', String.raw`x="a\nlevel=error event=made-up"`],
  ['\u001b[2J\u202eabc\u2028', String.raw`x="\u001b[2J\u202eabc\u2028"`],
  ['z'.repeat(3000), `x="${'z'.repeat(2000)}…"`],
])('a value %j stands as %s', (value, line) => {
  expect(logLine({ x: value })).toBe(line);
});

test('law: whatever a value is, it is one line and one field, and can be read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (value) => {
      const line = logLine({ a: value, b: 1 });
      expect(line).not.toMatch(/[\n\r\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
      const [, quoted = '', bare = ''] = /^a=(?:("(?:[^"\\]|\\.)*")|(\S+)) b=1$/.exec(line) ?? [];
      expect(quoted === '' ? bare : JSON.parse(quoted)).toBe(value);
    }),
    { seed: 11 },
  );
});
