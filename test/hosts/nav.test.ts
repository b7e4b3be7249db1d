import { expect, test } from 'vitest';
import { navArguments } from '../../src/hosts/nav.ts';
import { selectTools } from '../../src/tools/select-tools.ts';

const namesOf = (choice: Parameters<typeof selectTools>[0]): readonly string[] => {
  const selected = selectTools(choice);
  return selected.status === 'selected' ? selected.tools.map(({ name }) => name) : [selected.message];
};

test('without the flag the LSP tool is neither listed nor to be had by name', () => {
  expect(namesOf({})).not.toContain('LSP');
  expect(namesOf({ tools: ['LSP'] })[0]).toMatch(/^no tool "LSP"\. There are (?!.*LSP)/);
  expect(namesOf({ experimentalLsp: 'read' })).toContain('LSP');
});

test('only where refactorings are allowed does its schema have them', () => {
  const keys = (lsp: 'read' | 'refactor') => {
    const selected = selectTools({ experimentalLsp: lsp, tools: ['LSP'] });
    return selected.status === 'selected' ? Object.keys(selected.tools[0]?.args.shape ?? {}) : [];
  };
  expect(keys('read')).toEqual(['operation', 'filePath', 'symbol', 'line', 'character', 'query']);
  expect(keys('refactor')).toEqual([...keys('read'), 'newName', 'action', 'dry_run']);
});

test.each([
  [['findReferences', 'src/a.ts:4'], { filePath: 'src/a.ts', line: 4 }],
  [['findReferences', 'src/a.ts:4:9'], { filePath: 'src/a.ts', line: 4, character: 9 }],
  [['hover', 'src/a.ts#Token/check'], { symbol: 'src/a.ts#Token/check' }],
  [['hover', 'Token/check'], { symbol: 'Token/check' }],
  [['documentSymbol', 'a.ts'], { filePath: 'a.ts' }],
  [['workspaceSymbol', 'check'], { query: 'check' }],
  [['rename', 'a.ts#check', 'verify'], { symbol: 'a.ts#check', newName: 'verify' }],
  [['moveFile', 'a.ts', 'b/a.ts'], { filePath: 'a.ts', newName: 'b/a.ts' }],
  [['codeAction', 'a.ts:3', '2'], { filePath: 'a.ts', line: 3, action: 2 }],
])('emend nav %j', ([operation = '', target, name], args) => {
  expect(navArguments({ operation, target, name })).toEqual({ operation, ...args });
});
