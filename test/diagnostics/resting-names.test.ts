import { expect, test } from 'vitest';
import { restingNames } from '../../src/diagnostics/resting-names.ts';

test.each([
  ['/p/a.ts', 'export const made = { ...base };', 'made'],
  ['/p/a.ts', 'const inner = base();\nexport const made = inner;\nexport const other = 1;', 'made'],
  [
    '/p/a.ts',
    "import { base as b } from './b';\n\nconst inner = {\n  ...b,\n};\r\n\r\nexport const made = inner;",
    'made',
  ],
  ['/p/a.ts', "import { base as b } from './b';\nexport type Made = typeof b;", 'Made'],
  ['/p/a.ts', 'export function made() {\n  return base;\n}\nexport { made as known };', 'made known'],
  ['/p/a.ts', 'export default function made(of: base) {}', 'made a'],
  ['/p/a.ts', 'export function made(): number {\n  return base;\n}', ''],
  ['/p/a.ts', 'export function made(of: base): number {\n  return 1;\n}', 'made'],
  ['/p/a.ts', 'export const made: number = base;', ''],
  ['/p/a.ts', 'export const made: () => base = () => other;', 'made'],
  ['/p/a.ts', 'const made = base;\nexport const other = 1;', ''],
  ['/p/a.ts', "import { base } from './b';\nbase();", ''],
  ['/p/a.py', 'made = base()\n', ''],
  ['/p/a.c', 'int made = base;', ''],
])('%s: on `base` in %j rests %j', (path, text, resting) => {
  expect(restingNames(text, path, new Set(['base'])).join(' ')).toBe(resting);
});

test('a text of 20,000 statements is read in a moment', () => {
  const line = (_: unknown, number: number): string => `export const a${number} = { b: a${number - 1} };\n`;
  const text = Array.from({ length: 20_000 }, line).reverse().join('');
  const began = performance.now();
  expect(restingNames(text, '/p/a.ts', new Set(['a0']))).toHaveLength(19_999);
  expect(performance.now() - began).toBeLessThan(3000);
});
