import { readFileSync } from 'node:fs';
import { createSession } from '../../src/broker/session.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { lspTool } from '../../src/tools/navigation/lsp.ts';
import { uriOfPath } from '../../src/workspace/uri.ts';
import { bareClientBeside } from '../support/nav-projects.ts';
import { effectProject } from '../support/real-projects.ts';
import { type BenchRow, elapsed, ratioRow, sideBySide } from './bench-row.ts';

const FILE = 'src/Option.ts';

const SETTINGS = [
  { name: 'TypeScript 7', alias: 'typescript-7' },
  { name: 'typescript-language-server, TypeScript 6', alias: 'typescript' },
] as const;

/**
 * Where an answer takes less than a millisecond it shows for long that Node has not compiled our part yet, and a median
 * of few is another each time.
 */
const OPERATIONS = [
  { operation: 'goToDefinition', method: 'textDocument/definition', noun: 'definition', rounds: 1000 },
  { operation: 'findReferences', method: 'textDocument/references', noun: 'references', rounds: 100 },
] as const;

/** A warm answer, with the line of code at each place, beside the bare request alone on the same program. */
export async function benchNavigation(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const setting of SETTINGS) rows.push(...(await benchServer(setting)));
  return rows;
}

async function benchServer({ name, alias }: (typeof SETTINGS)[number]): Promise<readonly BenchRow[]> {
  const project = effectProject(alias);
  const root = await openRoot({ root: project.root });
  const session = createSession(root, 'bench', { diagnosticsBudgetMs: 120_000 });
  const text = readFileSync(project.path(FILE), 'utf8');
  const offset = text.indexOf('isNone(self)');
  const line = text.slice(0, offset).split('\n').length - 1;
  const character = offset - (text.lastIndexOf('\n', offset - 1) + 1);
  try {
    const ask = (operation: string) =>
      lspTool.run({ operation, filePath: FILE, line: line + 1, character: character + 1 }, { session });
    const first = await ask('goToDefinition');
    if (!first.ok || first.receipt.why === 'pending') throw new Error(first.text);
    const { bare } = await bareClientBeside(root);
    try {
      await bare.open(project.path(FILE), 'typescript', text);
      const rows: BenchRow[] = [];
      for (const { operation, method, noun, rounds } of OPERATIONS) {
        const params = {
          textDocument: { uri: uriOfPath(project.path(FILE)) },
          position: { line, character },
          context: { includeDeclaration: true },
        };
        const ours = (): Promise<number> => elapsed(() => ask(operation));
        const theirs = (): Promise<number> => elapsed(() => bare.request(method, params));
        await sideBySide(rounds, ours, theirs);
        const timed = await sideBySide(rounds, ours, theirs);
        const places = (await ask(operation)).receipt.total ?? 0;
        rows.push(
          ratioRow({
            figure: `warm ${noun}, ${name}`,
            inputs: `isNone in ${FILE} of effect, ${places} found, median of ${rounds} after as many`,
            ...timed,
            most: 1.2,
          }),
        );
      }
      return rows;
    } finally {
      bare.stop();
    }
  } finally {
    await root.close();
    project.remove();
  }
}
