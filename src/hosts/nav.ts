import { call } from './call.ts';
import { UsageError } from './usage-error.ts';

/** What is asked on the command line. */
interface NavWords {
  readonly operation: string;
  readonly target: string | undefined;
  /** What an operation that changes files takes further. */
  readonly name: string | undefined;
}

/**
 * `emend nav OPERATION TARGET`: one call of the LSP tool. Returns the exit status of `emend call`.
 * @throws UsageError without `--experimental-lsp`
 */
export async function nav(words: NavWords, rawOptions: Record<string, unknown>): Promise<number> {
  if (rawOptions.experimentalLsp !== true) {
    throw new UsageError('emend nav is experimental and may change in any version. Add --experimental-lsp to use it');
  }
  const { dryRun, ...options } = rawOptions;
  const args = { ...navArguments(words), ...(dryRun === true && { dry_run: true }) };
  return call('LSP', JSON.stringify(args), { ...options, tools: 'LSP' });
}

/** The arguments of the LSP tool for the words of a command line. */
export function navArguments({ operation, target, name }: NavWords): Readonly<Record<string, unknown>> {
  const place = target === undefined ? {} : placeOf(operation, target);
  if (name === undefined) return { operation, ...place };
  const isNumber = /^code_?-?actions?$/i.test(operation) && /^\d+$/.test(name);
  return { operation, ...place, ...(isNumber ? { action: Number(name) } : { newName: name }) };
}

function placeOf(operation: string, target: string): Readonly<Record<string, unknown>> {
  if (/^workspace/i.test(operation)) return { query: target };
  const [, file = '', line, character] = /^(.+?):(\d+)(?::(\d+))?$/.exec(target) ?? [];
  if (line !== undefined) {
    return { filePath: file, line: Number(line), ...(character !== undefined && { character: Number(character) }) };
  }
  const isFile =
    !target.includes('#') && /\.[^./\\]+$/.test(target) && (/[/\\]/.test(target) || isWholeFile(operation));
  return isFile || isWholeFile(operation) ? { filePath: target } : { symbol: target };
}

function isWholeFile(operation: string): boolean {
  return /^(?:document|organi[sz]e|move|outline)/i.test(operation);
}
