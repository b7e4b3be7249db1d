/** One tool under the names that another family of models knows. */
export interface ToolNames {
  readonly name: string;
  /** Our parameters that have another name there; also inside of lists of objects. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The names of one family, in the order in which its models see the tools. Keys are our names. */
type Dialect = Readonly<Record<string, ToolNames>>;

const OPENCODE_FILE = { file_path: 'filePath' };
const OPENCODE_EDIT = {
  ...OPENCODE_FILE,
  old_string: 'oldString',
  new_string: 'newString',
  replace_all: 'replaceAll',
};

/** One implementation, renamed: the only place that knows what others call our tools. */
export const DIALECTS: Readonly<Record<DialectName, Dialect | undefined>> = {
  claude: undefined,
  opencode: {
    Read: { name: 'read', parameters: OPENCODE_FILE },
    Edit: { name: 'edit', parameters: OPENCODE_EDIT },
    MultiEdit: { name: 'multiedit', parameters: OPENCODE_EDIT },
    Write: { name: 'write', parameters: OPENCODE_FILE },
    Glob: { name: 'glob', parameters: {} },
    Grep: { name: 'grep', parameters: { glob: 'include' } },
    Bash: { name: 'bash', parameters: { cwd: 'workdir' } },
    apply_patch: { name: 'apply_patch', parameters: { input: 'patchText' } },
    Diagnostics: { name: 'diagnostics', parameters: OPENCODE_FILE },
    Undo: { name: 'undo', parameters: {} },
  },
  gemini: {
    Read: { name: 'read_file', parameters: {} },
    Edit: { name: 'replace', parameters: { replace_all: 'allow_multiple' } },
    Write: { name: 'write_file', parameters: {} },
    Glob: { name: 'glob', parameters: { path: 'dir_path' } },
    Grep: { name: 'grep_search', parameters: { path: 'dir_path', glob: 'include' } },
    Bash: { name: 'run_shell_command', parameters: { cwd: 'dir_path', run_in_background: 'is_background' } },
    Diagnostics: { name: 'diagnostics', parameters: {} },
    MultiEdit: { name: 'multi_replace', parameters: { replace_all: 'allow_multiple' } },
    apply_patch: { name: 'apply_patch', parameters: {} },
    Undo: { name: 'undo', parameters: {} },
  },
  codex: {
    Read: { name: 'read_file', parameters: {} },
    apply_patch: { name: 'apply_patch', parameters: {} },
    Glob: { name: 'glob_files', parameters: {} },
    Grep: { name: 'grep_files', parameters: { glob: 'include' } },
    Bash: { name: 'shell', parameters: { cwd: 'workdir', timeout: 'timeout_ms' } },
    Diagnostics: { name: 'diagnostics', parameters: {} },
    Edit: { name: 'edit', parameters: {} },
    MultiEdit: { name: 'multi_edit', parameters: {} },
    Write: { name: 'write', parameters: {} },
    Undo: { name: 'undo', parameters: {} },
  },
};

/** The families of names that the tools can go by. */
export const DIALECT_NAMES = ['claude', 'opencode', 'gemini', 'codex'] as const;

/** The name of one of them. */
export type DialectName = (typeof DIALECT_NAMES)[number];

/** What each family is offered by itself, by our names. Models of the last one are trained on patches. */
export const DIALECT_TOOLS: Readonly<Record<DialectName, readonly string[]>> = {
  claude: ['Read', 'Edit', 'MultiEdit', 'Write', 'Glob', 'Grep', 'Bash', 'Diagnostics'],
  opencode: ['Read', 'Edit', 'MultiEdit', 'Write', 'Glob', 'Grep', 'Bash', 'Diagnostics'],
  gemini: ['Read', 'Edit', 'Write', 'Glob', 'Grep', 'Bash', 'Diagnostics'],
  codex: ['Read', 'apply_patch', 'Glob', 'Grep', 'Bash', 'Diagnostics'],
};

/** The dialect that a model knows best, by its id, with or without its provider before it. */
export function dialectOfModel(model: string): DialectName {
  const id = model.toLowerCase().slice(model.lastIndexOf('/') + 1);
  if (/^(?:gpt|chatgpt|codex|o\d)/.test(id) || /\bcodex\b/.test(id)) return 'codex';
  return /^(?:gemini|gemma)/.test(id) ? 'gemini' : 'claude';
}
