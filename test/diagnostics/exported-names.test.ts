import { describe, expect, test } from 'vitest';
import { exportedNames } from '../../src/diagnostics/exported-names.ts';

const CASES: readonly (readonly [text: string, has: string, hasNot: string])[] = [
  ['export function f(a: B) {}', 'f', 'B'],
  ['export abstract class C {}', 'C', 'D'],
  ['export const a = b', 'a', 'b'],
  ['export const a = 1,\n  b = c;', 'a b', 'c'],
  ['export const { a, b: [c] } = d;', 'a c', 'd'],
  ['export let a: string, b!: number\nconst c = 1', 'a b', 'c'],
  ['export const enum E { A }', 'E', 'F'],
  ['export { a, type b, c as d }\nconst e = 1', 'a b c', 'd e'],
  ['export type { a } from "x"\nconst e = 1', 'a', 'e'],
  ['import x from "x"\n  export default x', 'x', 'y'],
  ['\u2028export function f() {}\r\nfunction g() {}', 'f', 'g'],
  ['function f() {}', 'f', ''],
];

const words = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));

describe('exportedNames', () => {
  test.each(CASES)('%j', (text, has, hasNot) => {
    const names = exportedNames(text, 'typescript');
    expect(words(has).filter((name) => !names.has(name))).toEqual([]);
    expect(words(hasNot).filter((name) => names.has(name))).toEqual([]);
  });

  test('says what has no name for others, and what has another', () => {
    const names = exportedNames('export default class A {}\nexport { b as c, d as default };\n', 'typescript');
    expect(['A', 'b', 'd', 'default'].map((name) => names.isDefault(name))).toEqual([true, false, true, true]);
    expect(names.aliases('b')).toEqual(['c']);
    expect(exportedNames('module.exports = f;\n', 'javascript').isDefault('f')).toBe(true);
  });

  test('a text of 40,000 lines is read in a moment', () => {
    const text = Array.from({ length: 40_000 }, (_, line) => `export const a${line} = [{ b: 1 }, { c: 2 }];\n`).join(
      '',
    );
    const began = performance.now();
    expect(exportedNames(text, 'typescript').has('a39999')).toBe(true);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
