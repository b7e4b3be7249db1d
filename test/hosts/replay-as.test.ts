import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createSession } from '../../src/broker/session.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { replayAs } from '../../src/hosts/replay-as.ts';
import { report } from '../../src/hosts/report.ts';
import { applyPatchTool } from '../../src/tools/apply-patch.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { defaultTools } from '../../src/tools/tools.ts';
import { rootStateFolder } from '../../src/workspace/local-state-folder.ts';
import { makeProject } from '../support/project.ts';

/** What is printed while this runs. */
async function printed(what: () => Promise<number>): Promise<readonly string[]> {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(...String(text).trimEnd().split('\n'));
    return true;
  });
  try {
    expect(await what()).toBe(0);
  } finally {
    write.mockRestore();
  }
  return lines;
}

/** A journal of four edits: one exact, one with other indentation, one of two places, one of none. */
async function journalOfEdits(): Promise<string> {
  const project = makeProject({ 'a.ts': 'if (a) {\n  one();\n  two();\n}\nsame();\nsame();\n' });
  const root = await openRoot({ root: project.root });
  const session = createSession(root, 's', { diagnosticsBudgetMs: 0 });
  const edit = (old_string: string, new_string: string) =>
    callTool(defaultTools, { name: 'Edit', args: { file_path: 'a.ts', old_string, new_string } }, { session });
  await edit('one();', 'uno();');
  await edit('      uno();\n      two();', '      uno();\n      dos();');
  await edit('same();', 'other();');
  await edit('nothing like this', 'x');
  await root.close();
  return join(rootStateFolder(project.root), 'journal.jsonl');
}

test('an edit of a run is put to another matcher, on the content that it found', async () => {
  const journal = await journalOfEdits();
  const exact = await printed(() => replayAs(journal, 'exact'));
  expect(exact).toHaveLength(2);
  expect(exact[0]).toMatch(/^\w+ a\.ts \([a-z-]+\): would have failed$/);
  expect(exact[1]).toBe(
    '4 edits as exact: 3 the same; 1 would have failed; 0 would have landed elsewhere; 0 would have landed, and was refused; 0 not known',
  );
  const first = await printed(() => replayAs(journal, 'first-exact'));
  expect(first.at(-1)).toContain('1 would have landed, and was refused; 0 not known');
  expect(first.find((line) => line.includes('and was refused') && line.includes('(ambiguous)'))).toBeDefined();
  writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll('"path":"a.ts"', '"path":"\\u001b[2Ja.ts"'));
  expect((await printed(() => replayAs(journal, 'exact')))[0]).toMatch(/^\w+ \\x1b\[2Ja\.ts \(/);
  await expect(replayAs(journal, 'fuzzy')).rejects.toThrow(/^--as fuzzy: it is one of exact, .*first-exact\.$/);
  await expect(replayAs('/no/such', 'exact')).rejects.toThrow(/^\/no\/such: ENOENT/);
});

test('what no matcher decides is the same with each, a loop is judged by its file, and what can not be read is said', async () => {
  const project = makeProject({ 'a.ts': 'same();\nsame();\n' });
  const root = await openRoot({ root: project.root });
  const session = createSession(root, 's', { diagnosticsBudgetMs: 0 });
  const edit = (file_path: string, old_string: string, new_string: string) =>
    callTool(defaultTools, { name: 'Edit', args: { file_path, old_string, new_string } }, { session });
  await edit('made.ts', '', 'made();\n');
  await edit('gone.ts', 'x', 'y');
  for (let n = 0; n < 3; n += 1) await edit('a.ts', 'nothing like this', 'x');
  await root.close();
  const journal = join(rootStateFolder(project.root), 'journal.jsonl');
  const text = readFileSync(journal, 'utf8');
  expect(text).toContain('"code":"loop_blocked"');
  writeFileSync(journal, `${text}{"format":1, cut\n`);
  for (const matcher of ['exact', 'first-exact']) {
    expect(await printed(() => replayAs(journal, matcher))).toEqual([
      `5 edits as ${matcher}: 5 the same; 0 would have failed; 0 would have landed elsewhere; 0 would have landed, and was refused; 0 not known; 1 line of the journal skipped, broken or of another format`,
    ]);
  }
});

test('a call that is held back is laid to its file: an edit of another one is no recovery', async () => {
  const project = makeProject({ 'a.ts': 'a();\n', 'b.ts': 'b();\n' });
  const root = await openRoot({ root: project.root });
  const session = createSession(root, 's', { diagnosticsBudgetMs: 0 });
  const edit = (file_path: string, old_string: string, new_string: string) =>
    callTool(defaultTools, { name: 'Edit', args: { file_path, old_string, new_string } }, { session });
  for (let n = 0; n < 3; n += 1) await edit('a.ts', 'nothing like this', 'x');
  await edit('b.ts', 'b();', 'c();');
  await root.close();
  const journal = join(rootStateFolder(project.root), 'journal.jsonl');
  const [line = ''] = await printed(() => report([journal], { json: true, tokens: 'none' }));
  const { run } = JSON.parse(line);
  expect(run.refusals.map((each: { name: string; never: number }) => [each.name, each.never])).toEqual([
    ['no_match', 2],
    ['loop_blocked', 1],
  ]);
  expect(run.fought.files).toMatchObject([{ path: 'a.ts', refusals: 3 }]);
});

test('a MultiEdit or a patch is judged by the laxest strategy that it took', async () => {
  const project = makeProject({ 'a.ts': 'if (a) {\n  one();\n  two();\n}\n', 'b.ts': 'x();\n' });
  const root = await openRoot({ root: project.root });
  const session = createSession(root, 's', { diagnosticsBudgetMs: 0 });
  const run = (name: string, args: object) => callTool([...defaultTools, applyPatchTool], { name, args }, { session });
  const edits = (...pairs: readonly (readonly [string, string, string])[]) =>
    run('MultiEdit', {
      edits: pairs.map(([file_path, old_string, new_string]) => ({ file_path, old_string, new_string })),
    });
  await edits(['a.ts', 'one();', 'uno();'], ['b.ts', 'x();', 'y();']);
  await edits(['a.ts', 'uno();', 'one();'], ['a.ts', '      one();\n      two();', '      one();\n      dos();']);
  await edits(['a.ts', 'not there at all', 'x']);
  await run('apply_patch', {
    input: '*** Begin Patch\n*** Update File: a.ts\n@@\n-      dos();\n+      tres();\n*** End Patch',
  });
  await root.close();
  const journal = join(rootStateFolder(project.root), 'journal.jsonl');
  const exact = await printed(() => replayAs(journal, 'exact'));
  expect(exact.map((line) => line.replace(/^\w+ /, ''))).toEqual([
    expect.stringMatching(/^a\.ts \([a-z-]+\): would have failed$/),
    expect.stringMatching(/^a\.ts \([a-z-]+\): would have failed$/),
    expect.stringMatching(/^edits as exact: 2 the same; 2 would have failed; 0 .*; 0 not known$/),
  ]);
  expect((await printed(() => replayAs(journal, 'context-aware'))).at(-1)).toContain('4 the same');
  expect((await printed(() => replayAs(journal, 'first-exact'))).at(-1)).toContain('1 not known');
});

test('--json prints the figures as one line, with or without a page', async () => {
  const journal = await journalOfEdits();
  const output = join(mkdtempSync(join(tmpdir(), 'emend-report-json-')), 'report.html');
  const [line = '', ...rest] = await printed(() => report([journal], { json: true, output, tokens: 'all' }));
  expect(rest).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({ label: 'Run', tokensEvery: 1, run: { calls: 4, failed: 2 } });
  expect(readFileSync(output, 'utf8')).toContain('<h2 id="edits">');
});
