import { expect, test } from 'vitest';
import { renamedNames } from '../../src/diagnostics/renamed-names.ts';

test.each([
  ['/p/a.ts', "export { size as big, other } from './lib.js';", 'size', 'big'],
  ['/p/a.ts', "export { size, type Size as Big } from './lib.js';", 'size Size', 'Big'],
  ['/p/a.ts', "import { size } from './lib.js';\nexport { size as big };", 'size', 'big'],
  ['/p/a.ts', "export { default as Thing } from './thing/index.js';", 'make thing', 'Thing'],
  ['/p/a.ts', "export { default as Thing } from './other.js';", 'make thing', ''],
  ['/p/a.ts', "import Thing, { x } from './thing.js';\nexport { Thing as Big };", 'make thing', 'Thing Big'],
  ['/p/a.ts', "import Thing from './thing.js';\nconst one = Thing();\nexport { one };", 'make thing', ''],
  ['/p/a.ts', "import { size as big } from './lib.js';\nexport const one = big;", 'size', ''],
  ['/p/a/__init__.py', 'from .lib import size as big, other as more', 'size', 'big'],
  ['/p/a.py', 'from .lib import size as big', 'size', ''],
  ['/p/a.c', '{ size as big }', 'size', ''],
])('%s: %j hands on %j as %j', (path, text, names, renamed) => {
  expect(renamedNames(text, path, new Set(names.split(' '))).join(' ')).toBe(renamed);
});
