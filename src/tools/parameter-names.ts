/**
 * What other tool families call our parameters. A model that was trained on them is understood, whichever names it
 * uses; a name that the tool itself has always means that one.
 */
export const PARAMETER_ALIASES: Readonly<Record<string, readonly string[]>> = {
  file_path: ['filePath', 'path', 'file', 'filename', 'absolute_path', 'target_file'],
  filePath: ['file_path', 'path', 'file'],
  old_string: ['oldString', 'old_str', 'oldText', 'old_text', 'search'],
  new_string: ['newString', 'new_str', 'newText', 'new_text', 'replace'],
  replace_all: ['replaceAll', 'allow_multiple'],
  content: ['contents', 'file_text', 'text'],
  offset: ['start_line', 'startLine', 'line_start'],
  limit: ['max_lines', 'maxLines'],
  pattern: ['query', 'regex'],
  path: ['dir', 'directory', 'dir_path', 'include_path', 'folder'],
  glob: ['include', 'file_pattern', 'include_pattern'],
  command: ['cmd', 'script'],
  timeout: ['timeout_ms', 'timeoutMs'],
  cwd: ['workdir', 'working_directory', 'dir_path'],
  run_in_background: ['runInBackground', 'is_background', 'background'],
  dry_run: ['dryRun'],
  no_ignore: ['noIgnore'],
  head_limit: ['headLimit', 'max_results', 'maxResults'],
  output_mode: ['outputMode'],
  wait_ms: ['waitMs'],
  input: ['patch', 'patchText', 'patch_text'],
  edits: ['changes', 'replacements'],
};
