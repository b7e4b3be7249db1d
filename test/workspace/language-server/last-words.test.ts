import { expect, test } from 'vitest';
import { lastWords } from '../../../src/workspace/language-server/last-words.ts';

test.each([
  ['nothing', '', ''],
  ['a few lines', 'one\ntwo\n\nthree\nfour\n', 'two | three | four'],
  [
    'Node, with a stack',
    "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module '/x/server.js'\n    at Module._load (node:internal:1:2)\n    at run (node:x:3:4) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v20.20.2\n",
    "Error: Cannot find module '/x/server.js' | code: 'MODULE_NOT_FOUND', | requireStack: []",
  ],
  [
    'Python, with a traceback',
    'Traceback (most recent call last):\n  File "/x.py", line 1, in <module>\n    import pylsp\nModuleNotFoundError: No module named \'pylsp\'\n',
    "ModuleNotFoundError: No module named 'pylsp'",
  ],
  [
    'an option that is none',
    "error: unexpected argument '--stdio' found\n\nUsage: x\n",
    "error: unexpected argument '--stdio' found | Usage: x",
  ],
])('of %s', (_what, stderr, words) => {
  expect(lastWords(stderr)).toBe(words);
});
