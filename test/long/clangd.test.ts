import { describe, expect, test } from 'vitest';
import { boardRun } from '../support/board-run.ts';
import { fixtureProject } from '../support/fixture-project.ts';

/** Needs clangd on PATH, as `clangd` or `clangd-19`. */
describe('clangd', () => {
  test('50 edits in a row are each answered for the version just written; a header is followed', async () => {
    const project = fixtureProject({
      'compile_flags.txt': '-std=c++17\n',
      'size.h': '#pragma once\nint size(int of);\n',
      'main.cpp': '#include "size.h"\nint start = 1;\n',
    });
    const run = boardRun({ root: project.root });
    const path = project.path('main.cpp');
    const missingIn = (n: number): readonly string[] => Array.from({ length: n % 3 }, (_, i) => `missing_${n}_${i}`);
    try {
      for (let n = 1; n <= 50; n++) {
        const lines = missingIn(n).map((name) => `int of_${name} = ${name};`);
        const report = await run.write(path, ['#include "size.h"', 'int start = size(1);', ...lines, ''].join('\n'));
        expect(report).toMatchObject({ state: 'fresh', before: 0 });
        const now = [...report.introduced, ...report.open].map(({ message }) => /missing_\d+_\d+/.exec(message)?.[0]);
        expect(now).toEqual(missingIn(n));
      }
      await run.write(path, '#include "size.h"\nint start = size(1);\n');
      await run.replace(project.path('size.h'), ['int of', 'const char *of']);
      const after = await run.board.inspect(run.snapshot(path), 30_000);
      expect(after.diagnostics.map(({ range }) => range.start.line)).toEqual([1]);
      await run.replace(project.path('size.h'), ['const char *of', 'int of']);
      expect((await run.board.inspect(run.snapshot(path), 30_000)).diagnostics).toEqual([]);
    } finally {
      await run.board.close();
      project.remove();
    }
  });

  // clangd tells a changed header only by its size and the second of its time, and publishes nothing of what it takes for unchanged.
  test('a header that is changed within a second to a text of the same length is followed at once', async () => {
    const project = fixtureProject({
      'compile_flags.txt': '-std=c++17\n',
      'size.h': '#pragma once\nint size(int of);\n',
      'main.cpp': '#include "size.h"\nint start = size(1);\n',
    });
    const run = boardRun({ root: project.root });
    const names = ['size', 'area', 'bulk', 'mass', 'size', 'area', 'bulk', 'mass', 'size'];
    try {
      await run.board.inspect(run.snapshot(project.path('main.cpp')), 60_000);
      for (const [n, name] of names.entries()) {
        const next = names[n + 1] ?? 'last';
        const header = await run.replace(project.path('size.h'), [`int ${name}`, `int ${next}`]);
        expect(header.state).toBe('fresh');
        expect(header.introduced.map(({ path, message }) => `${path} ${message}`)).toEqual([
          `main.cpp Use of undeclared identifier '${name}'`,
        ]);
        const user = await run.replace(project.path('main.cpp'), [`= ${name}(`, `= ${next}(`]);
        expect(user).toMatchObject({ state: 'fresh', introduced: [], open: [] });
        expect(user.fixed).toHaveLength(1);
      }
    } finally {
      await run.board.close();
      project.remove();
    }
  });
});
