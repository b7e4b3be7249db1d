import { expect, onTestFinished, test, vi } from 'vitest';
import { lspTool } from '../../../src/tools/navigation/lsp.ts';
import { selectTools } from '../../../src/tools/select-tools.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { callLoaded, openNavRoom } from '../../support/nav-projects.ts';
import { openToolRoom } from '../../support/tool-room.ts';

const SLOW = { timeout: 120_000 };

/** A tool as it is offered with the experimental LSP tool, or without. */
function offered(name: string, experimentalLsp?: 'read'): Tool {
  const selected = selectTools({ tools: [name], ...(experimentalLsp && { experimentalLsp }) });
  const [tool] = selected.status === 'selected' ? selected.tools : [];
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
}

const FILES = {
  'src/token.ts': [
    "import { measure, Square } from './shapes.js';",
    'export class Token {',
    '\tcheck(): number {',
    "\t\tconst face = '😀';",
    '\t\treturn measure(new Square()) + face.length;',
    '\t}',
    '\tagain = (): number => {',
    '\t\treturn measure(new Square());',
    '\t};',
    '}',
    'new Token().check();',
    'new Token().check();',
    '',
  ].join('\r\n'),
};
const GREP = { pattern: 'measure\\(', path: 'src/token.ts', output_mode: 'content' };
const PLAIN = 'src/token.ts\n5:\t\treturn measure(new Square()) + face.length;\n8:\t\treturn measure(new Square());\n';

test(
  'Grep names what a match lies in only where it was asked for, and a server that runs has the file',
  SLOW,
  async () => {
    const room = await openNavRoom('TypeScript 7', FILES);
    onTestFinished(() => room.close());
    const cold = await room.call(offered('Grep', 'read'), GREP);
    expect(cold.text).toBe(`${PLAIN}(2 matches in 1 file)`);
    await callLoaded(room, lspTool, { operation: 'documentSymbol', filePath: 'src/token.ts' });
    const warm = await room.call(offered('Grep', 'read'), GREP);
    expect(warm.text).toBe(
      'src/token.ts\n5:\t\treturn measure(new Square()) + face.length;  (in Token/check)\n' +
        '8:\t\treturn measure(new Square());  (in Token/again)\n(2 matches in 1 file)',
    );
    expect((await room.call(offered('Grep'), GREP)).text).toBe(`${PLAIN}(2 matches in 1 file)`);

    // Another text than the server has: nothing is said of lines that it does not know.
    await room.write({ 'src/token.ts': `// one line more\r\n${FILES['src/token.ts']}` });
    const moved = await room.call(offered('Grep', 'read'), GREP);
    expect(moved.text).not.toContain('(in ');
  },
);

test('of matches that follow each other in one symbol the first names it', SLOW, async () => {
  const room = await openNavRoom('TypeScript 7', FILES);
  onTestFinished(() => room.close());
  await callLoaded(room, lspTool, { operation: 'documentSymbol', filePath: 'src/token.ts' });
  const found = await room.call(offered('Grep', 'read'), { ...GREP, pattern: 'face' });
  expect(found.text.match(/\(in [^)]*\)/g)).toEqual(['(in Token/check)']);
});

test('Edit names the symbol that it changed with its references, where a warm server knows them', SLOW, async () => {
  const room = await openNavRoom('TypeScript 7', FILES);
  onTestFinished(() => room.close());
  await callLoaded(room, lspTool, { operation: 'findReferences', symbol: 'src/token.ts#Token/check' });
  const edit = (from: string, to: string) => ({ file_path: 'src/token.ts', old_string: from, new_string: to });
  const wanted = edit("face = '😀'", "face = '😀😀'");
  let shown = await room.call(offered('Edit', 'read'), wanted);
  // A busy machine may be too late for the budget; then nothing is said, and nothing was waited for.
  for (let tries = 1; tries < 5 && !shown.text.includes('symbol:'); tries += 1) {
    shown = await room.call(offered('Edit', 'read'), edit('😀'.repeat(tries + 1), '😀'.repeat(tries + 2)));
  }
  expect(shown.text).toMatch(/\nsymbol: Token\/check, 2 references in 1 file$/);
  const without = await room.call(offered('Edit'), edit('measure(new Square());', 'measure(new Square()) + 1;'));
  expect(without.text).not.toContain('symbol:');
});

test('Edit says nothing of symbols where no server is, or none is warm', SLOW, async () => {
  const room = await openToolRoom({ 'a.txt': 'one\n' });
  onTestFinished(() => room.close());
  const edited = await room.call(offered('Edit', 'read'), { file_path: 'a.txt', old_string: 'one', new_string: 'two' });
  expect(edited.ok).toBe(true);
  expect(edited.text).not.toContain('symbol');
});

test(
  'of a name that is used everywhere all places are counted, and only files that are shown are read',
  SLOW,
  async () => {
    const uses = Array.from({ length: 160 }, (_, n) => [
      `src/uses/u${String(n).padStart(3, '0')}.ts`,
      `import { everywhere } from '../everywhere.js';\nexport const u${n} = everywhere();\n`,
    ]);
    const files = { 'src/everywhere.ts': 'export const everywhere = () => 1;\n', ...Object.fromEntries(uses) };
    const room = await openNavRoom('TypeScript 7', files);
    onTestFinished(() => room.close());
    await callLoaded(room, lspTool, { operation: 'documentSymbol', filePath: 'src/everywhere.ts' });
    const opened = vi.spyOn(room.root.documents, 'open');
    const { text, receipt } = await room.call(lspTool, {
      operation: 'findReferences',
      symbol: 'src/everywhere.ts#everywhere',
    });
    expect(receipt.total).toBe(321);
    expect(text).toContain(
      "src/uses/u048.ts\n1:10  import { everywhere } from '../everywhere.js';\n2:20  export const u48 = everywhere();",
    );
    expect(text).toMatch(
      /u049\.ts\n1:10 .*\n\(100 of 321 references in 161 files; not shown: src\/uses\/u049\.ts 1, .*, 99 more files\)$/,
    );
    expect(opened.mock.calls.length).toBeLessThanOrEqual(52);
  },
);
