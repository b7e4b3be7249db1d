/**
 * What tool families call one parameter. A model that was trained on any of them is understood, whichever name it uses;
 * a name that the tool itself has always means that one. Dialects (`dialects.ts`) offer names out of these.
 */
const SAME_PARAMETER: readonly (readonly string[])[] = [
  ['file_path', 'filePath', 'path', 'file', 'filename', 'absolute_path', 'target_file'],
  ['old_string', 'oldString', 'old_str', 'oldText', 'old_text', 'search'],
  ['new_string', 'newString', 'new_str', 'newText', 'new_text', 'replace'],
  ['replace_all', 'replaceAll', 'allow_multiple'],
  ['content', 'contents', 'file_text', 'text'],
  ['offset', 'start_line', 'startLine', 'line_start'],
  ['limit', 'max_lines', 'maxLines'],
  ['pattern', 'query', 'regex'],
  ['path', 'dir', 'directory', 'dir_path', 'include_path', 'folder'],
  ['glob', 'include', 'file_pattern', 'include_pattern'],
  ['command', 'cmd', 'script'],
  ['timeout', 'timeout_ms', 'timeoutMs'],
  ['cwd', 'workdir', 'working_directory', 'dir_path'],
  ['run_in_background', 'runInBackground', 'is_background', 'background'],
  ['dry_run', 'dryRun'],
  ['no_ignore', 'noIgnore'],
  ['head_limit', 'headLimit', 'max_results', 'maxResults'],
  ['output_mode', 'outputMode'],
  ['wait_ms', 'waitMs'],
  ['input', 'patch', 'patchText', 'patch_text'],
  ['edits', 'changes', 'replacements'],
  ['operation', 'op'],
  ['symbol', 'name', 'symbolName', 'symbol_name'],
  ['character', 'column', 'col'],
  ['newName', 'new_name', 'newPath', 'new_path'],
];

/** The other names of a parameter. */
export function aliasesOf(name: string): readonly string[] {
  return SAME_PARAMETER.filter((names) => names.includes(name)).flatMap((names) => names.filter((one) => one !== name));
}

/** What some families have models say about a call, and which changes nothing about it: it is let pass. */
const REMARKS: ReadonlySet<string> = new Set(['description', 'instruction', 'explanation', 'justification']);

/** Whether a parameter that the tool does not have can be left out without another meaning. */
export function isRemark(name: string, value: unknown): boolean {
  return REMARKS.has(name) || (name === 'expected_replacements' && value === 1);
}
