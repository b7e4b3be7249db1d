import { expect, test } from 'vitest';
import { selectTools, type ToolChoice } from '../../src/tools/select-tools.ts';
import { unknownTool } from '../../src/tools/unknown-tool.ts';

function hint(choice: ToolChoice, wanted: string): string {
  const selected = selectTools(choice);
  if (selected.status === 'unknown') throw new Error(selected.message);
  return unknownTool(selected.tools, wanted);
}

const DEFAULT = 'Read,Edit,MultiEdit,Write,Glob,Grep,Bash,Diagnostics';
const GEMINI = 'read_file,replace,write_file,glob,grep_search,run_shell_command,diagnostics';
const SWITCH = 'is not switched on here; whoever starts emend can do it: --tools';

test.each<[ToolChoice, string, string]>([
  [{}, 'Undo', `Undo ${SWITCH} ${DEFAULT},Undo.`],
  [{}, 'apply_patch', `apply_patch ${SWITCH} ${DEFAULT},apply_patch.`],
  [{ tools: ['Read'] }, 'Bash', `Bash ${SWITCH} Read,Bash.`],
  [{ dialect: 'gemini' }, 'undo', `undo ${SWITCH} ${GEMINI},Undo.`],
  [{ dialect: 'gemini' }, 'multi_replace', `multi_replace ${SWITCH} ${GEMINI},MultiEdit.`],
  [{}, 'read_file', 'no tool "read_file" here: it is called Read.'],
  [{}, 'read', 'no tool "read" here: it is called Read.'],
  [{ dialect: 'codex' }, 'Bash', 'no tool "Bash" here: it is called shell.'],
  [{ tools: ['Read', 'Edit'] }, 'Fly', 'no tool "Fly". There are Read, Edit.'],
])('%j, asked for %s: %s', (choice, wanted, message) => {
  expect(hint(choice, wanted)).toBe(message);
});

test('a name without end is not told back whole', () => {
  expect(hint({ tools: ['Read'] }, 'x'.repeat(100_000))).toBe(
    `no tool "${'x'.repeat(100)}… [line cut: 100 of 100,000 characters]". There are Read.`,
  );
});

test('what is told to switch on can be switched on as it is told', () => {
  for (const dialect of ['claude', 'opencode', 'gemini', 'codex']) {
    const list = /--tools (.*)\.$/.exec(hint({ dialect }, 'Undo'))?.[1];
    const selected = selectTools({ dialect, tools: list?.split(',') ?? [] });
    expect(selected).toMatchObject({ status: 'selected' });
    if (selected.status === 'selected') expect(selected.tools.at(-1)?.name.toLowerCase()).toBe('undo');
  }
});
