#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { version } from './version.ts';

/**
 * The command line. Each command's code is loaded when it runs, so that `--help` costs next to nothing. Exit status: 0
 * ok, 1 refused or failed, 2 the call itself is wrong.
 */
const USAGE_ERROR = 2;

// A command that ends all that is called node does not end us.
process.title = 'emend';

const program = new Command('emend')
  .description('An edit broker for coding agents: each change lands where it was meant or not at all.')
  .version(version)
  .exitOverride()
  .showHelpAfterError('(emend --help lists the commands)');

program
  .command('call')
  .description('run one tool and print what a model would read')
  .argument('<tool>', 'Read, Edit, Write, Glob, Grep, …')
  .argument('<json>', 'the arguments as JSON; - reads them from standard input, @FILE from a file')
  .option('--root <dir>', 'the folder that calls are confined to (the working directory); may be repeated', collect)
  .option('--session <id>', 'the run that the call belongs to (EMEND_SESSION, else one for each root)')
  .option('--json', 'print one JSON line: { ok, text, receipt }')
  .option('--in-process', 'keep all in this process: no resident one')
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
  .option('--allow <path>', 'also allow this path outside the root; may be repeated', collect)
  .option('--unconfined', 'allow every path: where a container is the boundary')
  .option('--deny <glob>', 'no tool touches these files; Bash is off unless named in --tools; may be repeated', collect)
  .action(async (tool: string, json: string, options: Record<string, unknown>) => {
    const { call } = await import('./call.ts');
    process.exitCode = await call(tool, json, options);
  });

program
  .command('mcp')
  .description('serve the tools over MCP on standard input and output')
  .option('--root <dir>', "the folder that calls are confined to (the client's roots); may be repeated", collect)
  .option('--session <id>', 'the run that the calls belong to (one for each connection)')
  .option('--in-process', 'keep all in this process: no resident one')
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
  .option('--structured', 'for programs: results also as structured content')
  .option('--max-output <characters>', 'cut longer text results (100000)')
  .option('--answer-within <ms>', 'how long a client without progress waits (50000)')
  .option('--allow <path>', 'also allow this path outside the root; may be repeated', collect)
  .option('--unconfined', 'allow every path: where a container is the boundary')
  .option('--deny <glob>', 'no tool touches these files; Bash is off unless named in --tools; may be repeated', collect)
  .action(async (options: Record<string, unknown>) => {
    const { mcp } = await import('./mcp.ts');
    await mcp(options);
  });

program
  .command('serve')
  .description('the resident process of a root, which other commands start and find by themselves')
  .option('--root <dir>', 'the folder that it owns (the working directory)', collect)
  .option('--idle <ms>', 'end after this long without a connection (1800000)')
  .option('--status', 'tell of the one that runs')
  .option('--stop', 'end the one that runs, with its language servers')
  .action(async (options: Record<string, unknown>) => {
    const { serve } = await import('./serve.ts');
    process.exitCode = await serve(options);
  });

program
  .command('doctor')
  .description('which language server serves which language here, its version, or what to install')
  .argument('[file]', 'only the servers of this file')
  .option('--root <dir>', 'the folder to look at (the working directory)', collect)
  .action(async (file: string | undefined, options: Record<string, unknown>) => {
    const { doctor } = await import('./doctor.ts');
    process.exitCode = await doctor(file, options);
  });

program
  .command('replay')
  .description('run the file tools of a journal again on a fresh tree, and show what comes out otherwise')
  .argument('<journal>', 'journal.jsonl in the state folder of a root')
  .option('--root <dir>', 'the fresh tree (an empty folder)')
  .action(async (journal: string, options: { readonly root?: string }) => {
    const { replay } = await import('./replay.ts');
    process.exitCode = await replay(journal, options);
  });

program
  .command('report')
  .description('sum journals to one page: how edits matched, refusals and recovery, diagnostics, latency, tokens')
  .argument('<journals...>', 'journals, or folders of them: one journal is one cell of a benchmark')
  .option('-o, --output <file>', 'write the page here')
  .option('--json', 'print the figures as one JSON line')
  .option('--against <journals...>', 'compare with these: the difference by journal, and the calls that changed')
  .option('--label <name>', 'what the page calls this set')
  .option('--against-label <name>', 'what it calls the other')
  .option('--tokens <how>', 'count them of all calls, of a sample where there are over 20000, or of none (sample)')
  .action(async (journals: readonly string[], options: object) => {
    const { report } = await import('./report.ts');
    process.exitCode = await report(journals, options);
  });

program
  .command('demo')
  .description('drifted edits on a TypeScript and a Python file, with real language servers, in a folder of its own')
  .action(async () => {
    const { demo } = await import('./demo.ts');
    process.exitCode = await demo();
  });

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
  const message = error instanceof Error ? error.message : String(error);
  const isUsage = error instanceof Error && 'code' in error && error.code === 'usage';
  process.stderr.write(`emend: ${message}\n`);
  return isUsage ? USAGE_ERROR : 1;
}
