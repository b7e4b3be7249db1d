import { expect, test } from 'vitest';
import { DependantPass } from '../../src/diagnostics/dependant-pass.ts';

function newPass(): DependantPass {
  const origin = { session: 's', receipt: 'e1' };
  return new DependantPass({
    changes: [],
    origin,
    epochBefore: 0,
    before: { answers: new Map(), isWhole: true },
    names: async () => new Set(),
  });
}

function passOver(files: readonly string[], most: number): DependantPass {
  const pass = newPass();
  pass.setFiles(files, most);
  return pass;
}

test('while it is not known which files depend on a change, none is said to be the last', () => {
  const pass = newPass();
  expect([pass.isSeeking, pass.unchecked]).toEqual([true, 0]);
  pass.setFiles(['a'], 10);
  expect([pass.isSeeking, pass.unchecked]).toEqual([false, 1]);
  const none = passOver([], 10);
  expect([none.isSeeking, none.isOver]).toEqual([false, true]);
});

test('files are unchecked until they were looked at', () => {
  const pass = passOver(['a', 'b', 'c'], 10);
  expect(pass.unchecked).toBe(3);
  pass.found(pass.next(), [], 1);
  expect(pass.unchecked).toBe(1);
  pass.found(pass.next(), [], 1);
  expect([pass.unchecked, pass.isOver]).toEqual([0, true]);
});

test('files beyond the most that are looked at stay named as unchecked when the look is over', () => {
  const pass = passOver(['a', 'b', 'c', 'd', 'e'], 2);
  expect(pass.unchecked).toBe(5);
  pass.found(pass.next(), [], 1);
  expect([pass.unchecked, pass.isOver]).toEqual([3, true]);
});
