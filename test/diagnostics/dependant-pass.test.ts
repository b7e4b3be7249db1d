import { expect, test } from 'vitest';
import { DependantPass } from '../../src/diagnostics/dependant-pass.ts';

function passOver(files: readonly string[], most: number): DependantPass {
  const pass = new DependantPass({
    changes: [],
    origin: { session: 's', receipt: 'e1' },
    epochBefore: 0,
    names: async () => new Set(),
  });
  pass.setFiles(files, most);
  return pass;
}

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
