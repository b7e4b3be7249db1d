import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lspTool } from '../../../src/tools/navigation/lsp.ts';
import { callLoaded, linkPackage, openNavRoom } from '../../support/nav-projects.ts';
import { openToolRoom } from '../../support/tool-room.ts';

const SLOW = { timeout: 120_000 };

test(
  'each operation takes its own arguments, under the names that models use; a name needs no column',
  SLOW,
  async () => {
    // https://github.com/anthropics/claude-code/issues/30948
    const room = await openNavRoom('TypeScript 7');
    onTestFinished(() => room.close());
    const symbols = await callLoaded(room, lspTool, { op: 'workspace_symbol', query: 'meas' });
    expect(symbols.text).toContain('src/shapes.ts\n5:17  export function measure');
    const definition = await callLoaded(room, lspTool, {
      op: 'definition',
      symbol: 'Square',
      path: 'src/use.ts',
      line: 3,
    });
    expect(definition.text).toContain('src/shapes.ts\n2:14  export class Square');
    const several = await callLoaded(room, lspTool, { operation: 'hover', symbol: 'src/shapes.ts#area' });
    expect(several.text).toMatch(
      /^Error ambiguous: 2 symbols in src\/shapes\.ts are area: L1 \(Shape\/area\), L3 \(Square\/area\)\./,
    );
    const one = await callLoaded(room, lspTool, { operation: 'hover', symbol: 'src/shapes.ts#Square/area' });
    expect(one.text).toContain('Square.area(): number');
  },
);

test('a server that was not there to be found at first is found by the file that needs it', SLOW, async () => {
  // https://github.com/oraios/serena/issues/1798
  const room = await openToolRoom();
  onTestFinished(() => room.close());
  mkdirSync(join(room.folder, '.git'));
  const before = await room.call(lspTool, { operation: 'workspaceSymbol', query: 'late' });
  expect(before).toMatchObject({ ok: false, receipt: { code: 'unavailable' } });
  linkPackage(room.folder, 'typescript-7');
  await room.write({ 'tsconfig.json': '{}', 'a.ts': 'export const late = 1;\n' });
  const after = await callLoaded(room, lspTool, { operation: 'documentSymbol', filePath: 'a.ts' });
  expect(after.text).toBe('a.ts\n1 variable late\n(1 symbol)');
});
