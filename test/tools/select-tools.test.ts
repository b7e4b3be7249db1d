import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { listTools } from '../../src/hosts/list-tools.ts';
import { dialectOfModel } from '../../src/tools/dialects.ts';
import { multiEditTool } from '../../src/tools/multi-edit.ts';
import { renamedTool } from '../../src/tools/renamed-tool.ts';
import { selectTools, type ToolChoice } from '../../src/tools/select-tools.ts';
import type { Tool } from '../../src/tools/tool.ts';

function select(choice: ToolChoice): readonly Tool[] {
  const selected = selectTools(choice);
  if (selected.status === 'unknown') throw new Error(selected.message);
  return selected.tools;
}

function shapes(choice: ToolChoice): readonly string[] {
  return select(choice).map(({ name, args }) => `${name} ${Object.keys(args.shape).join(' ')}`);
}

describe('each family of models is offered the names that it knows', () => {
  test.each<[string, ToolChoice, readonly string[]]>([
    [
      'by default',
      {},
      [
        'Read file_path offset limit',
        'Edit file_path old_string new_string replace_all',
        'MultiEdit file_path edits dry_run',
        'Write file_path content',
        'Glob pattern path no_ignore',
        'Grep pattern path glob type output_mode -A -B -C -i -n multiline no_ignore head_limit offset',
        'Bash command timeout cwd run_in_background job stop',
        'Diagnostics file_path since severity wait_ms',
      ],
    ],
    [
      'opencode',
      { dialect: 'opencode', tools: ['read', 'edit', 'multiedit', 'bash'] },
      [
        'read filePath offset limit',
        'edit filePath oldString newString replaceAll',
        'multiedit filePath edits dry_run',
        'bash command timeout workdir run_in_background job stop',
      ],
    ],
    [
      'a Gemini model',
      { model: 'google/gemini-3-pro', tools: ['Edit', 'run_shell_command'] },
      [
        'replace file_path old_string new_string allow_multiple',
        'run_shell_command command timeout dir_path is_background job stop',
      ],
    ],
    ['by the names of the choice, in its order', { tools: ['write', 'Undo'] }, ['Write file_path content', 'Undo id']],
  ])('%s', (_what, choice, expected) => {
    expect(shapes(choice)).toEqual(expected);
  });

  test.each<[ToolChoice, boolean]>([
    [{}, false],
    [{ called: 'Undo' }, true],
    [{ called: 'Undo', model: 'gpt-5.1' }, true],
    [{ called: 'Undo', tools: ['Read'] }, false],
    [{ called: 'LSP' }, false],
  ])('an optional tool is beside them where it is the one that is called: %j', (choice, isThere) => {
    const { called: _, ...usual } = choice;
    expect(select(choice)).toHaveLength(select(usual).length + (isThere ? 1 : 0));
  });

  test('models of the GPT family get apply_patch and a shell instead of Edit and Write', () => {
    const names = select({ model: 'gpt-5.1-codex' }).map(({ name }) => name);
    expect(names).toEqual(['read_file', 'apply_patch', 'glob_files', 'grep_files', 'shell', 'diagnostics']);
  });

  test.each([
    ['gpt-5.1', 'codex'],
    ['openai/o3', 'codex'],
    ['codex-mini-latest', 'codex'],
    ['gemini-2.5-flash', 'gemini'],
    ['vertex/gemma-3', 'gemini'],
    ['claude-opus-4-5', 'claude'],
    ['anthropic/claude-haiku', 'claude'],
    ['qwen3-coder', 'claude'],
  ])('%s is served in %s', (model, dialect) => {
    expect(dialectOfModel(model)).toBe(dialect);
  });

  test.each<[ToolChoice, RegExp]>([
    [{ dialect: 'klingon' }, /^no dialect "klingon"\. There are claude, opencode, gemini, codex\.$/],
    [{ tools: ['Reed'] }, /^no tool "Reed"\. There are Read, Edit/],
    [{ dialect: 'gemini', tools: ['Reed'] }, /There are read_file, replace/],
  ])('what there is not is named: %j', (choice, message) => {
    const selected = selectTools(choice);
    expect(selected.status === 'unknown' && selected.message).toMatch(message);
  });

  test('what a tool says of itself goes by the names of the dialect', () => {
    const [edit] = select({ dialect: 'opencode', tools: ['edit'] });
    expect(edit?.description).toContain('oldString');
    expect(edit?.description).not.toContain('old_string');
  });
});

test('a parameter says the same of itself in every dialect', () => {
  const told = (choice: ToolChoice): readonly (string | undefined)[] =>
    select({ ...choice, tools: ['Read', 'Bash', 'MultiEdit'] }).flatMap(({ args }) =>
      Object.values(args.shape).map((field) => (field instanceof z.ZodType ? field.description : undefined)),
    );
  const ours = told({});
  expect(ours.filter((text) => text !== undefined)).toEqual([
    'first line, 1-based',
    'ms, default 120000',
    'read new output of this job',
    'end this job',
  ]);
  for (const dialect of ['opencode', 'gemini', 'codex']) expect(told({ dialect })).toEqual(ours);
});

test('a list keeps what it says of itself when the parameters in it are renamed', () => {
  const edits = z.array(z.strictObject({ old_string: z.string() }));
  const args = z.strictObject({ edits: edits.optional().describe('in order'), more: edits.describe('then') });
  const tool = { ...multiEditTool, args } as unknown as Tool;
  const { shape } = renamedTool(tool, { name: 'x', parameters: { old_string: 'oldString' } }, new Map()).args;
  for (const field of Object.values(shape)) {
    expect(z.safeParse(field as z.ZodType, [{ oldString: 'a' }]).success).toBe(true);
  }
  expect(Object.values(shape).map((field) => (field as z.ZodType).description)).toEqual(['in order', 'then']);
});

test('a tool that is named several times is offered once, where it is named first', () => {
  expect(select({ tools: ['Read', 'Edit', 'read', 'READ'] }).map(({ name }) => name)).toEqual(['Read', 'Edit']);
  const names = select({ dialect: 'gemini', tools: ['read_file', 'Read', 'Edit', 'replace'] }).map(({ name }) => name);
  expect(names).toEqual(['read_file', 'replace']);
});

describe('schemas cost little', () => {
  test('the default tools take at most 1,300 tokens as a client is told of them', () => {
    const listed = JSON.stringify(listTools(select({})));
    expect(encode(listed).length).toBeLessThanOrEqual(1300);
    expect(Buffer.byteLength(listed)).toBeLessThanOrEqual(12_000);
  });

  test('nothing that a model has no use for is in them', () => {
    expect(JSON.stringify(listTools(select({})))).not.toMatch(/\$schema|900719925/);
  });
});
