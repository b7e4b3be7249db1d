import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { violations } from './support/architecture.ts';

const root = join(import.meta.dirname, '..');

function sources(): { path: string; text: string }[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({
      path: join('src', name).split(sep).join('/'),
      text: readFileSync(join(root, 'src', name), 'utf8'),
    }));
}

describe('the house', () => {
  test('imports point down, IO stays in the edge files, files stay small', () => {
    const files = sources();
    expect(files.length).toBeGreaterThan(10);
    expect(violations(files)).toEqual([]);
  });

  test.each([
    ['an import that points up', 'src/workspace/a.ts', "import type { X } from '../broker/x.ts';\n"],
    ['an import that skips over hosts', 'src/tools/a.ts', "export { main } from '../hosts/cli.ts';\n"],
    ['a dynamic import that points up', 'src/diagnostics/a.ts', "const x = await import('../tools/read.ts');\n"],
    ['IO outside the edge files', 'src/broker/a.ts', "import { readFile } from 'node:fs/promises';\n"],
    ['time outside the edge files', 'src/broker/a.ts', 'const started = Date.now();\n'],
    ['randomness outside the edge files', 'src/broker/a.ts', 'const x = Math.random();\n'],
    ['a file over 250 lines', 'src/broker/a.ts', 'export {};\n'.repeat(251)],
    ['a barrel', 'src/broker/index.ts', "export * from './refusal.ts';\n"],
  ])('%s is a violation', (_what, path, text) => {
    expect(violations([{ path, text }])).toHaveLength(1);
  });

  test('no import cycle, type imports included', () => {
    const files = sources();
    const imports = new Map(
      files.map(({ path, text }) => [
        path,
        [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((m) =>
          relative(root, join(root, dirname(path), m[1] ?? ''))
            .split(sep)
            .join('/'),
        ),
      ]),
    );
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) throw new Error(`import cycle: ${[...trail, path].join(' -> ')}`);
      if (done.has(path)) return;
      for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const { path } of files) visit(path, []);
    expect(done.size).toBeGreaterThanOrEqual(files.length);
  });
});
