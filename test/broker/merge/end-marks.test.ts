import { describe, expect, test } from 'vitest';
import { replace } from '../../../src/broker/replace.ts';

/** path, file, old_string, new_string, the file after, or `undefined` where the edit is refused. */
type Row = readonly [path: string, file: string, oldString: string, newString: string, after: string | undefined];

const LACKING: readonly Row[] = [
  ['a.json', '{\n  "a": 1\n}\n', '"a": 1,', '"a": 2,', '{\n  "a": 2\n}\n'],
  ['a.json', '{\n  "a": 1\n}\n', '  "a": 1,\n', '  "a": 2,\n', '{\n  "a": 2\n}\n'],
  ['a.json', '{\r\n  "a": 1\r\n}\r\n', '  "a": 1,\n}', '  "a": 2,\n}', '{\r\n  "a": 2\r\n}\r\n'],
  ['a.json', '{"a": 1}\n', '"a": 1,}', '"a": 2,}', '{"a": 2}\n'],
  ['a.js', 'let x = 1\n', 'let x = 1;', 'let y = 1;', 'let y = 1\n'],
  ['a.js', 'let x = 1\nfoo()\n', 'let x = 1;\n', 'let x = 2;\n', 'let x = 2\nfoo()\n'],
  ['a.js', 'let x = 1\nfoo()\n', 'let x = 1;\nfoo();\n', 'let x = 1 + 2;\nfoo();\n', 'let x = 1 + 2\nfoo()\n'],
  ['a.js', 'a = 1\nb = 2\n', 'a = 1;\nb = 2;\n', 'a = 3;\nb = 4;\n', 'a = 3\nb = 4\n'],
  ['a.js', 'let x = 1 // one\n', 'let x = 1; // one', 'let x = 2; // one', 'let x = 2 // one\n'],
  ['a.js', 'return\n', 'return;', 'return 1;', 'return 1\n'],
  ['a.py', 'f(alpha, beta)\n', 'f(alpha, beta,)', 'f(alpha, gamma,)', 'f(alpha, gamma)\n'],
  [
    'a.rs',
    'S {\n    a: 1,\n    b: f(2)\n}\n',
    '    b: f(2),\n}',
    '    b: f(3),\n}',
    'S {\n    a: 1,\n    b: f(3)\n}\n',
  ],
  ['a.css', 'a {\n  top: 1px\n}\n', '  top: 1px;\n', '  top: 2px;\n', 'a {\n  top: 2px\n}\n'],
  ['a.sql', 'SELECT a,\n  bcd\nFROM t;\n', '  bcd,\nFROM t;', '  bce,\nFROM t;', 'SELECT a,\n  bce\nFROM t;\n'],
];

const ADDED_BEHIND: readonly Row[] = [
  ['a.json', '{\n  "a": 1\n}\n', '  "a": 1,\n', '  "a": 1,\n  "b": 2,\n', '{\n  "a": 1,\n  "b": 2\n}\n'],
  ['a.json', '{"a": 1}\n', '"a": 1,}', '"a": 1, "b": 2,}', '{"a": 1, "b": 2}\n'],
  ['a.json', '{\n  "a": 1\n}\n', '  "a": 1,\n', '  "z": 0,\n  "a": 1,\n', '{\n  "z": 0,\n  "a": 1\n}\n'],
  [
    'a.sql',
    'SELECT a,\n  bcd\nFROM t;\n',
    '  bcd,\nFROM t;',
    '  bcd,\n  e,\nFROM t;',
    'SELECT a,\n  bcd,\n  e\nFROM t;\n',
  ],
  [
    'a.rs',
    'fn f() {\n    go(1)\n}\n',
    '    go(1);\n',
    '    go(1);\n    end();\n',
    'fn f() {\n    go(1);\n    end();\n}\n',
  ],
];

const HAVING: readonly Row[] = [
  ['a.json', '{\n  "a": 1,\n  "b": 2\n}\n', '"a": 1\n  "b": 2', '"a": 5\n  "b": 2', '{\n  "a": 5,\n  "b": 2\n}\n'],
  ['a.json', '{\n  "a": 1,\n  "b": 2\n}\n', '"a": 1\n', '"a": 5\n', '{\n  "a": 5,\n  "b": 2\n}\n'],
  [
    'a.js',
    'let x = a || b;\r\nnext();\r\n',
    'let x = a || b\nnext()\n',
    'let x = a\nnext()\n',
    'let x = a;\r\nnext();\r\n',
  ],
  ['a.js', 'if (q) { return a || b; }\n', '{ return a || b }', '{ return a }', 'if (q) { return a; }\n'],
  ['a.js', 'let a = 1;\nlet b = 2;\n', 'let a = 1\nlet b = 2\n', 'let a = 5;\nlet b = 2\n', 'let a = 5;\nlet b = 2;\n'],
  ['a.js', 'let a = 1;\nlet b = 2;\n', 'let a = 1\nlet b = 2\n', 'let a = 5,\nlet b = 2\n', undefined],
  ['a.js', 'one();\ntwo();\n', 'one()\ntwo()\n', 'one()\n  .then(go)\ntwo()\n', 'one()\n  .then(go);\ntwo();\n'],
  ['a.js', 'if (x) return;\nfoo(1);\n', 'if (x) return\nfoo(1)\n', 'if (x) {\n  stop()\n}\nfoo(1)\n', undefined],
  [
    'a.ts',
    '[\n  one,\n  two,\n]\n',
    '  one\n  two\n',
    '  one({\n    z: 1\n  })\n  two\n',
    '[\n  one({\n    z: 1\n  }),\n  two,\n]\n',
  ],
  [
    'a.ts',
    '{\n  aa: 1,\n  bb: 2,\n}\n',
    '  aa: 1\n  bb: 2\n',
    '  aa: {\n    z: 1\n  }\n  bb: 2\n',
    '{\n  aa: {\n    z: 1\n  },\n  bb: 2,\n}\n',
  ],
  ['a.py', 'call(beta,)\n', 'call(beta)', 'call(gamma)', 'call(gamma,)\n'],
  ['a.py', 'call(beta,)\n', 'call(beta)', 'call()', 'call()\n'],
  [
    'a.json',
    '{\n  "alpha": 1,\n  "beta": [2],\n  "gamma": 3\n}\n',
    '  "alpha": 1\n  "beta": [2]\n  "gamma": 3',
    '  "alpha": 1\n  "other_name": null\n  "gamma": 3',
    '{\n  "alpha": 1,\n  "other_name": null,\n  "gamma": 3\n}\n',
  ],
  [
    'a.js',
    'let a = 1;\nlet b = 2;\nlet c = 3;\n',
    'let a = 1\nlet b = 2\nlet c = 3',
    'let a = 1\nlet c = 3',
    'let a = 1;\nlet c = 3;\n',
  ],
];

const TUPLES: readonly Row[] = [
  ['a.py', 'x = (10000,)\n', 'x = (10000)', 'x = (20000)', undefined],
  ['a.py', 'x = (10000)\n', 'x = (10000,)', 'x = (20000,)', undefined],
];

describe.each([
  ['a mark that only the strings have is not written behind what changed', LACKING],
  ['items added behind the last one are parted from it, and end as it did', ADDED_BEHIND],
  ['a mark that only the file has stays behind what changed, or the edit is refused', HAVING],
  ['the comma that makes a tuple is no mere mark', TUPLES],
])('%s', (_title, rows) => {
  test.each(rows)('%s: %j: %j for %j', (path, file, oldString, newString, after) => {
    const result = replace(file, oldString, newString, { path });
    expect(result.status === 'applied' ? result.text : undefined).toBe(after);
  });
});
