#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { version } from './version.ts';

/**
 * The command line. Each command's code is loaded when it runs, so that `--help` costs next to nothing. Exit status: 0
 * ok, 1 refused or failed, 2 the call itself is wrong.
 */
const USAGE_ERROR = 2;

const program = new Command('emend')
  .description('An edit broker for coding agents: each change lands where it was meant or not at all.')
  .version(version)
  .exitOverride()
  .showHelpAfterError('(emend --help lists the commands)');

program
  .command('call')
  .description('run one tool and print what a model would read')
  .argument('<tool>', 'Read, Edit, Write, Diagnostics')
  .argument('<json>', 'the arguments as JSON; - reads them from standard input, @FILE from a file')
  .option('--root <dir>', 'the folder that the call is confined to', '.')
  .option('--session <id>', 'the run that the call belongs to')
  .option('--json', 'print one JSON line: { ok, text, receipt }')
  .option('--in-process', 'keep all in this process')
  .option('--wait-cold <ms>', 'wait this long for diagnostics from a server that is starting')
  .option('--snippet <when>', 'show the lines of an edit: always, tolerant or never', 'always')
  .option('--allow <path...>', 'also allow these paths outside the root')
  .option('--unconfined', 'allow every path: where a container is the boundary')
  .action(async (tool: string, json: string, options: Record<string, unknown>) => {
    const { call } = await import('./call.ts');
    process.exitCode = await call(tool, json, options);
  });

program
  .command('mcp')
  .description('serve the tools over MCP on standard input and output')
  .option('--root <dir>', 'the folder that calls are confined to', '.')
  .option('--in-process', 'keep all in this process')
  .option('--snippet <when>', 'show the lines of an edit: always, tolerant or never', 'always')
  .option('--allow <path...>', 'also allow these paths outside the root')
  .option('--unconfined', 'allow every path: where a container is the boundary')
  .action(async (options: Record<string, unknown>) => {
    const { mcp } = await import('./mcp.ts');
    await mcp(options);
  });

program
  .command('doctor')
  .description('which language server serves which language here, its version, or what to install')
  .argument('[file]', 'only the servers of this file')
  .option('--root <dir>', 'the folder to look at', '.')
  .action(async (file: string | undefined, options: Record<string, unknown>) => {
    const { doctor } = await import('./doctor.ts');
    process.exitCode = await doctor(file, options);
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

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
  const message = error instanceof Error ? error.message : String(error);
  const isUsage = error instanceof Error && 'code' in error && error.code === 'usage';
  process.stderr.write(`emend: ${message}\n`);
  return isUsage ? USAGE_ERROR : 1;
}
