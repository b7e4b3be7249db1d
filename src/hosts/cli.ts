#!/usr/bin/env node
import { Command } from 'commander';
import { commandFailure, wantsJson } from './command-failure.ts';
import { collect, mcpOptions, rootOptions, toolOptions } from './tool-options.ts';
import { version } from './version.ts';

/** The command line. Each command's code is loaded when it runs, so that `--help` costs next to nothing. */
// A command that ends all that is called node does not end us.
process.title = 'emend';

const program = new Command('emend')
  .description('An edit broker for coding agents: each change lands where it was meant or not at all.')
  .version(version)
  .exitOverride()
  .showHelpAfterError('(emend --help lists the commands)')
  .addHelpText(
    'after',
    `
Exit status:
  0  the tool worked
  1  it was refused or failed, arguments that it does not take included (invalid_arguments)
     (serve --status and --stop: no resident process runs)
  2  the call itself is wrong: an unknown command or tool, broken JSON, a bad option; nothing was run`,
  );

toolOptions(program.command('call'))
  .description('run one tool and print what a model would read')
  .argument('<tool>', 'Read, Edit, Write, Glob, Grep, …')
  .argument('<json>', 'the arguments as JSON; - reads them from standard input, @FILE from a file')
  .option('--root <dir>', 'the folder that calls are confined to (the working directory); may be repeated', collect)
  .option('--session <id>', 'the run that the call belongs to (EMEND_SESSION, else one for each root)')
  .option('--json', 'print one JSON line: { ok, text, receipt }')
  .option('--in-process', 'keep all in this process: no resident one')
  .action(async (tool: string, json: string, options: Record<string, unknown>) => {
    const { call } = await import('./call.ts');
    process.exitCode = await call(tool, json, options);
  });

mcpOptions(toolOptions(program.command('mcp')))
  .description('serve the tools over MCP on standard input and output')
  .option('--root <dir>', "the folder that calls are confined to (the client's roots); may be repeated", collect)
  .option('--session <id>', 'the run that the calls belong to (one for each connection)')
  .option('--in-process', 'keep all in this process: no resident one')
  .action(async (options: Record<string, unknown>) => {
    const { mcp } = await import('./mcp.ts');
    await mcp(options);
  });

program
  .command('nav', { hidden: !process.argv.includes('--experimental-lsp') })
  .description('EXPERIMENTAL, needs --experimental-lsp: ask language servers about symbols; may change in any version')
  .argument('<operation>', 'goToDefinition, findReferences, hover, documentSymbol, workspaceSymbol, …')
  .argument(
    '[target]',
    'FILE, FILE:LINE, FILE:LINE:COLUMN, FILE#Class/method or Class/method; of workspaceSymbol a name',
  )
  .argument('[name]', 'the new name of rename, the new path of moveFile, the number of a code action')
  .option('--experimental-lsp', 'yes, although it is experimental')
  .option('--allow-refactor', 'also rename, codeAction, organizeImports and moveFile, which change files')
  .option('--dry-run', 'show what would change')
  .option('--root <dir>', 'the folder that calls are confined to (the working directory); may be repeated', collect)
  .option('--session <id>', 'the run that the call belongs to (EMEND_SESSION, else one for each root)')
  .option('--json', 'print one JSON line: { ok, text, receipt }')
  .option('--in-process', 'keep all in this process: no resident one')
  .option('--wait-cold <ms>', 'wait this long for a server that is starting (10000)')
  .action(async (operation: string, target?: string, name?: string, options: Record<string, unknown> = {}) => {
    const { nav } = await import('./nav.ts');
    process.exitCode = await nav({ operation, target, name }, options);
  });

program
  .command('lsp')
  .description('serve an editor as a language server on standard input and output: its buffers are what tools see')
  .option('--root <dir>', "the folder to work in (the editor's workspace folders); may be repeated", collect)
  .option('--log-level <level>', 'what the log has of what the editor asks for: off, error, warn, info or debug')
  .option('--stdio', 'as editors say it; there is no other way')
  .action(async (options: Record<string, unknown>) => {
    const { lsp } = await import('./lsp.ts');
    await lsp(options);
  });

rootOptions(program.command('serve'))
  .description('the resident process of a root, which other commands start and find by themselves')
  .option('--root <dir>', 'the folder that it owns (the working directory)', collect)
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
  .option(
    '--install <name>',
    'download this server, with npm, into a folder of its own (the only thing that downloads)',
  )
  .action(async (file: string | undefined, options: Record<string, unknown>) => {
    const { doctor } = await import('./doctor.ts');
    process.exitCode = await doctor(file, options);
  });

rootOptions(mcpOptions(toolOptions(program.command('config'))))
  .description('what is in force here, and which file or option says so')
  .option('--root <dir>', 'the folder to look at (the working directory); may be repeated', collect)
  .option('--in-process', 'keep all in this process: no resident one')
  .option('--json', 'print one JSON line')
  .action(async (options: Record<string, unknown>) => {
    const { config } = await import('./config/config.ts');
    process.exitCode = await config(options);
  });

program
  .command('trust')
  .description('let a project bring its own settings and language servers, as you would let it run its code')
  .argument('[dir]', 'the project; all below it is trusted too (the working directory)')
  .option('--remove', 'trust it no more')
  .action(async (dir: string | undefined, options: { readonly remove?: true }) => {
    const { trust } = await import('./trust.ts');
    process.exitCode = await trust(dir ?? '.', options);
  });

program
  .command('replay')
  .description('run the file tools of a journal again on a fresh tree, and show what comes out otherwise')
  .argument('<journal>', 'journal.jsonl in the state folder of a root')
  .option('--root <dir>', 'the fresh tree (an empty folder)')
  .option('--as <matcher>', 'change nothing; tell which edits exact, line-trimmed, … or first-exact would have failed')
  .action(async (journal: string, options: { readonly root?: string; readonly as?: string }) => {
    if (options.as !== undefined) {
      const { replayAs } = await import('./replay-as.ts');
      process.exitCode = await replayAs(journal, options.as);
      return;
    }
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

for (const command of program.commands) {
  command.showHelpAfterError(`(emend ${command.name()} --help has its arguments and options)`);
}

const words = process.argv.slice(2);
try {
  await program.parseAsync();
} catch (error) {
  const { exitCode, message, isSaid } = commandFailure(error);
  process.exitCode = exitCode;
  if (!isSaid) process.stderr.write(`emend: ${message}\n`);
  else if (exitCode !== 0) await suggestTool(words[0] ?? '');
  if (exitCode !== 0 && wantsJson(words)) process.stdout.write(`${JSON.stringify({ ok: false, text: message })}\n`);
}

/** Who types a tool's name as a command means `call`. */
async function suggestTool(command: string): Promise<void> {
  if (program.commands.some((one) => one.name() === command)) return;
  const [{ nearestName }, { defaultTools, optionalTools }] = await Promise.all([
    import('../workspace/nearest-name.ts'),
    import('../tools/tools.ts'),
  ]);
  const names = [...defaultTools, ...optionalTools].map(({ name }) => name);
  const tool = command.startsWith('-') ? undefined : nearestName(command, names);
  if (tool !== undefined) process.stderr.write(`(${tool} is a tool: emend call ${tool} JSON)\n`);
}
