import type { Command } from 'commander';

/** The options of commands that offer tools; each can be set for good in a file of settings. */
export function toolOptions(command: Command): Command {
  return command
    .option('--no-config', 'read no file of settings')
    .option(
      '--log-level <level>',
      'what the log of the root has of these calls: off, error, warn, info or debug (info)',
    )
    .option('--wait-cold <ms>', 'wait this long for diagnostics from a server that is starting')
    .option('--snippet <when>', 'show the lines of an edit: always, tolerant or never')
    .option('--strict-write', 'refuse Write over a file that was not read')
    .option('--loop-failures <n>', 'an edit or Read that failed this often in the same way is not run again (2)')
    .option('--loop-notes <n>', 'a command or search that failed this often in the same way is noted (3)')
    .option('--loop-near <n>', 'as many failing edits that differ little get the lines of their file (3)')
    .option('--loop-strict', 'commands that fail in the same way are not run again either')
    .option('--tools <names>', 'only these tools: A,B,…')
    .option('--dialect <name>', 'the names that a family of models knows: claude, opencode, gemini, codex')
    .option('--model <id>', 'the tools and names that this model knows best')
    .option('--experimental-lsp', 'also offer the LSP tool: definitions, references, symbols')
    .option('--allow-refactor', 'the LSP tool may also rename, move files and apply code actions')
    .option('--allow <path>', 'also allow this path outside the root; may be repeated', collect)
    .option('--unconfined', 'allow every path: where a container is the boundary')
    .option('--untrusted', 'nothing of the project runs: no language server of its own, none that runs its code')
    .option(
      '--deny <glob>',
      'no tool touches these files; Bash is off unless named in --tools; may be repeated',
      collect,
    );
}

/** Those of MCP alone. */
export function mcpOptions(command: Command): Command {
  return command
    .option('--structured', 'for programs: results also as structured content')
    .option('--max-output <characters>', 'cut longer text results (100000)')
    .option('--answer-within <ms>', 'how long a client without progress waits (50000)');
}

/** Those of the process that owns a root; a command that offers tools has some of them too. */
export function rootOptions(command: Command): Command {
  const has = (name: string): boolean => command.options.some(({ long }) => long === name);
  command
    .option('--idle <ms>', 'end the resident process after this long without a connection (1800000)')
    .option('--severity <least>', 'report findings from here on: error, warning, information or hint (error)');
  if (!has('--no-config')) command.option('--no-config', 'read no file of settings');
  if (!has('--log-level')) command.option('--log-level <level>', 'the log: off, error, warn, info or debug (info)');
  if (!has('--untrusted')) command.option('--untrusted', 'nothing of the project runs');
  return command;
}

/** Each time an option is given adds to it. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
