import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FileBefore } from '../../../src/broker/change-request.ts';
import { orderSteps } from '../../../src/broker/transaction/order-steps.ts';
import type { StagedPlan } from '../../../src/broker/transaction/staged-file.ts';
import { createSnapshot, utf8Form } from '../../../src/workspace/document-snapshot.ts';

const file = (path: string): FileBefore => {
  const bytes = Buffer.from(path);
  const text = createSnapshot(path, path, utf8Form(), 1);
  return { path, shown: path, found: { content: { kind: 'file', bytes }, bytes, mode: 0o644, text }, isLink: false };
};

const moved = ([from, to]: readonly [string, string]): StagedPlan => ({
  plan: { op: 'move', file: file(from), to: { ...file(to), found: undefined }, edits: [] },
  bytes: Buffer.from(from),
});

/** What stands at each path when the steps were done in their order; each must find what it was made for. */
function after(moves: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const disk = new Map(moves.map(([from]) => [from, from]));
  for (const { path, before, after } of orderSteps(moves.map(moved), 'e1')) {
    expect(disk.get(path)).toBe(before && Buffer.from(before.bytes).toString());
    if (after) disk.set(path, Buffer.from(after.bytes).toString());
    else disk.delete(path);
  }
  return disk;
}

test('files get their new names in chains and circles alike, and none is lost on the way', () => {
  const names = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 20 });
  const moves = fc.tuple(names, names).map(([froms, tos]) =>
    froms.slice(0, tos.length).flatMap((from, at) => {
      const to = tos[at];
      return to === undefined || to === from ? [] : [[`/${from}`, `/${to}`] as const];
    }),
  );
  fc.assert(
    fc.property(moves, (some) => {
      // What stands at a target and stays is refused before.
      const froms = new Set(some.map(([from]) => from));
      expect(after(some)).toEqual(new Map(some.map(([from, to]) => [to, from])));
      expect(froms.size).toBe(some.length);
    }),
    { numRuns: 300 },
  );
});

test('the steps of many moves are counted in their number', () => {
  const steps = (count: number): number => {
    const moves = Array.from({ length: count }, (_, at) => moved([`/${at}`, `/${at + 1}`]));
    let looks = 0;
    const get = (of: FileBefore, key: keyof FileBefore): unknown => {
      looks += 1;
      return of[key];
    };
    const counted = moves.map(({ plan, bytes }): StagedPlan => {
      if (plan.op !== 'move') return { plan, bytes };
      return {
        plan: { ...plan, file: new Proxy(plan.file, { get: (of, key) => get(of, key as keyof FileBefore) }) },
        bytes,
      };
    });
    expect(orderSteps(counted, 'e1')).toHaveLength(2 * count);
    return looks;
  };
  expect(steps(400)).toBeLessThan(3 * steps(200));
});
