import { describe, expect, test } from 'vitest';
import { judgeMemory } from '../../../src/workspace/language-server/memory-ceiling.ts';

const sized = (...rows: readonly (readonly [string, number, number])[]) =>
  rows.map(([server, bytes, usedAt]) => ({ server, bytes, usedAt }));

describe('servers that have together', () => {
  test.each([
    ['no more than the ceiling all stay', sized(['a', 40, 1], ['b', 60, 2]), [], undefined],
    ['too much lose the one used longest ago', sized(['b', 60, 2], ['a', 60, 1]), ['a'], undefined],
    ['far too much lose as many as it takes', sized(['a', 60, 1], ['b', 60, 2], ['c', 60, 3]), ['a', 'b'], undefined],
    ['too much even alone lose the last one too', sized(['a', 10, 1], ['b', 160, 2]), ['a'], 'b'],
    ['nothing are none', sized(), [], undefined],
  ])('%s', (_what, servers, stop, tooBig) => {
    expect(judgeMemory(servers, 100)).toEqual({ stop, tooBig });
  });
});
