import { describe, expect, test } from 'vitest';
import { boardRun } from '../support/board-run.ts';
import { fixtureProject, TSCONFIG } from '../support/fixture-project.ts';

interface Case {
  readonly what: string;
  readonly lib: string;
  readonly user: string;
  readonly edit: readonly [string, string];
}

const TYPESCRIPT: readonly Case[] = [
  {
    what: 'a type that is not exported, of what is',
    lib: 'interface Props {\n  size: number;\n}\n\nexport function draw(props: Props): string {\n  return String(props.size);\n}\n',
    user: "import { draw } from './lib.js';\n\nexport const used = draw({ size: 1 });\n",
    edit: ['size: number', 'size: string'],
  },
  {
    what: 'a value from which an exported one is inferred, over another',
    lib: 'const port = 1;\n\nconst all = { port };\n\nexport const config = all;\n',
    user: "import { config } from './lib.js';\n\nexport const used: number = config.port;\n",
    edit: ['port = 1', "port = 'x'"],
  },
  {
    what: 'what is exported by default, under any name',
    lib: 'export default function draw(size: number): number {\n  return size;\n}\n',
    user: "import other from './lib.js';\n\nexport const used = other(1);\n",
    edit: ['size: number)', 'size: string)'],
  },
  {
    what: 'a default that has no name',
    lib: 'export default {\n  port: 1,\n};\n',
    user: "import other from './lib.js';\n\nexport const used: number = other.port;\n",
    edit: ['port: 1', "port: 'x'"],
  },
  {
    what: 'what is exported under another name',
    lib: 'function draw(size: number): number {\n  return size;\n}\n\nexport { draw as paint };\n',
    user: "import { paint } from './lib.js';\n\nexport const used = paint(1);\n",
    edit: ['size: number)', 'size: string)'],
  },
  {
    what: 'where a name is imported from',
    lib: "import type {\n  T,\n} from './one.js';\n\nexport const list: readonly T[] = [];\n",
    user: "import { list } from './lib.js';\n\nexport const used: readonly number[] = list;\n",
    edit: ['one.js', 'two.js'],
  },
  {
    what: 'what is declared for all files',
    lib: 'export {};\ndeclare global {\n  interface Shared {\n    size: number;\n  }\n}\n',
    user: 'export const used = (shared: Shared): number => shared.size;\n',
    edit: ['size: number', 'size: string'],
  },
  {
    what: 'a pattern that is exported',
    lib: 'function make() {\n  return { size: 1 };\n}\n\nexport const { size } = make();\n',
    user: "import { size } from './lib.js';\n\nexport const used: number = size;\n",
    edit: ['size: 1', "size: 'x'"],
  },
  {
    what: 'what another file hands on by another name',
    lib: 'export default function draw(size: number): number {\n  return size;\n}\n\nexport const one = 1;\n',
    user: "import { Paint } from './barrel.js';\n\nexport const used = Paint(1);\n",
    edit: ['size: number)', 'size: string)'],
  },
  {
    what: 'what another file makes from it',
    lib: 'export const base = { port: 1 };\n',
    user: "import { made } from './between.js';\n\nexport const used: number = made.port;\n",
    edit: ['port: 1', "port: 'x'"],
  },
  {
    what: 'the second of two in one declaration',
    lib: 'export const one = 1,\n  two = 2;\n',
    user: "import { two } from './lib.js';\n\nexport const used: number = two;\n",
    edit: ['two = 2', "two = 'x'"],
  },
];

const PYTHON: readonly Case[] = [
  {
    what: 'a value from which another is inferred',
    lib: 'def _size():\n    return 1\n\n\ndef size():\n    return _size()\n',
    user: 'from lib import size\n\nused: int = size()\n',
    edit: ['return 1', 'return "x"'],
  },
  {
    what: 'where a name is imported from',
    lib: 'from one import T\n\n\ndef size() -> T:\n    return T()\n',
    user: 'from lib import size\n\nused: int = size()\n',
    edit: ['one', 'two'],
  },
];

const type = (text: string): string => `export type T = ${text};\n`;

describe('an edit is told what it broke where others do not have it by its own name', { timeout: 60_000 }, () => {
  const check = async (
    files: Readonly<Record<string, string>>,
    names: readonly [lib: string, user: string],
    edit: readonly [string, string],
  ): Promise<void> => {
    const project = fixtureProject(files, { typescript: 'typescript-7' });
    const run = boardRun({ root: project.root });
    const [lib, user] = names;
    try {
      const broken = await run.replace(project.path(lib), edit);
      expect(broken).toMatchObject({ state: 'fresh', unchecked: 0 });
      expect(broken.introduced.map(({ path }) => path)).toContain(user);
      const mended = await run.replace(project.path(lib), [edit[1], edit[0]]);
      expect(mended).toMatchObject({ state: 'fresh', introduced: [], open: [] });
      expect(mended.fixed.map(({ path }) => path)).toContain(user);
    } finally {
      await run.board.close();
      project.remove();
    }
  };

  test.each(TYPESCRIPT)('TypeScript: $what', async ({ lib, user, edit }) => {
    const more = {
      'src/between.ts':
        "import { base as b } from './lib.js';\n\nconst inner = { ...b };\n\nexport const made = inner;\n",
      'src/barrel.ts': "export { default as Paint } from './lib.js';\n",
      'src/one.ts': type('number'),
      'src/two.ts': type('string'),
    };
    const files = { 'tsconfig.json': TSCONFIG, 'src/lib.ts': lib, 'src/user.ts': user, ...more };
    await check(files, ['src/lib.ts', 'src/user.ts'], edit);
  });

  test.each(PYTHON)('Python: $what', async ({ lib, user, edit }) => {
    const files = { 'lib.py': lib, 'user.py': user, 'one.py': 'T = int\n', 'two.py': 'T = str\n' };
    await check(files, ['lib.py', 'user.py'], edit);
  });
});
