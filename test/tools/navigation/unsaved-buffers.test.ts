import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lspRefactorTool } from '../../../src/tools/navigation/lsp.ts';
import { createOverlayStore, type OverlayStore } from '../../../src/workspace/overlay-store.ts';
import { applySpanEdits } from '../../../src/workspace/span.ts';
import { callLoaded, linkPackage } from '../../support/nav-projects.ts';
import { openToolRoom } from '../../support/tool-room.ts';

/** What an editor holds of files that nobody asks about counts in every answer, and is what a refactoring changes. */

const SLOW = { timeout: 120_000 };
const IMPORTER = 'import { alpha } from "./a.js";\nexport const one = alpha(1);\n';
const BUFFER = `// a longer unsaved comment line\nconst s = 'x';\n${IMPORTER}export const two = alpha(2);\n`;

async function editorRoom(alias: string) {
  let overlay: OverlayStore | undefined;
  const files = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [], "noEmit": true } }',
    'src/a.ts': 'export function alpha(n: number): number {\n  return n;\n}\n',
    'src/b.ts': IMPORTER,
  };
  const room = await openToolRoom(files, () => ({
    layers: {
      overStore: (store) => {
        overlay = createOverlayStore(store, {
          applyEdit: async ({ path, text, edits, version }) => {
            overlay?.buffers.change(path, applySpanEdits(text, edits), version + 1);
            return { applied: true };
          },
        });
        return overlay;
      },
      overBoard: (board) => board,
    },
  }));
  onTestFinished(() => room.close());
  linkPackage(room.folder, alias);
  overlay?.buffers.open(join(room.folder, 'src/b.ts'), BUFFER, 1);
  const buffer = async () => {
    const content = await room.root.store.read(join(room.folder, 'src/b.ts'));
    return content.kind === 'buffer' ? content.text : undefined;
  };
  return { room, buffer, disk: () => readFileSync(join(room.folder, 'src/b.ts'), 'utf8') };
}

test.each(['typescript-7', 'typescript'])('references are those of the buffer: %s', SLOW, async (alias) => {
  const { room } = await editorRoom(alias);
  const { text } = await callLoaded(room, lspRefactorTool, { operation: 'findReferences', symbol: 'src/a.ts#alpha' });
  expect(text).toContain('src/b.ts\n3:10  import { alpha } from "./a.js";\n4:20  export const one = alpha(1);');
  expect(text).toContain('\n5:20  export const two = alpha(2);');
  expect(text).toContain('(4 references in 2 files)');
});

test.each(['typescript-7', 'typescript'])('a moved file and a new name land in the buffer: %s', SLOW, async (alias) => {
  const { room, buffer, disk } = await editorRoom(alias);
  const moved = await callLoaded(room, lspRefactorTool, {
    operation: 'moveFile',
    filePath: 'src/a.ts',
    newName: 'src/deep/',
  });
  expect(moved.receipt).toMatchObject({ ok: true, diagnostics: { introduced: [] } });
  expect(moved.receipt.files.map(({ path }) => path)).toEqual(['src/deep/a.ts', 'src/b.ts']);
  expect(await buffer()).toBe(BUFFER.replace('./a.js', './deep/a.js'));
  const rename = { operation: 'rename', symbol: 'src/deep/a.ts#alpha', newName: 'beta' };
  expect((await callLoaded(room, lspRefactorTool, rename)).ok).toBe(true);
  expect(await buffer()).toBe(BUFFER.replace('./a.js', './deep/a.js').replaceAll('alpha', 'beta'));
  expect(disk()).toBe(IMPORTER);
});
