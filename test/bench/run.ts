import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { Command } from 'commander';
import { benchPage, shownFigure } from './bench-page.ts';
import type { BenchRow } from './bench-row.ts';

/**
 * `npm run bench [-- NAME…] [--json] [--page FILE]`: every figure with its inputs, beside its bare baseline where it has
 * one. Names pick benches; without any, all run.
 */
const BENCHES: Readonly<Record<string, () => Promise<() => Promise<readonly BenchRow[]>>>> = {
  edit: async () => (await import('./edit/speed.ts')).benchEdit,
  commit: async () => (await import('./commit.ts')).benchCommit,
  search: async () => (await import('./search.ts')).benchSearch,
  memory: async () => (await import('./memory.ts')).benchMemory,
  diagnostics: async () => (await import('./diagnostics.ts')).benchDiagnostics,
  navigation: async () => (await import('./navigation.ts')).benchNavigation,
  'start-up': async () => (await import('./start-up.ts')).benchStartUp,
};

const command = new Command('bench')
  .argument('[names...]', Object.keys(BENCHES).join(', '))
  .option('--json', 'one line of JSON at the end, and nothing else')
  .option('--page <file>', 'also write the results there as Markdown')
  .parse();
const asked = command.args;
const { json: isJson, page } = command.opts<{ json?: true; page?: string }>();
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) command.error(`no bench ${unknown.join(', ')}. There are ${Object.keys(BENCHES).join(', ')}.`);

const rows: BenchRow[] = [];
for (const [name, load] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const bench = await load();
  for (const row of await bench()) {
    rows.push(row);
    if (!isJson) process.stdout.write(`${line(row)}\n`);
  }
}
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const run = {
  emend: version,
  node: process.version,
  cores: cpus().length,
  date: new Date().toISOString().slice(0, 10),
  rows,
};
if (page !== undefined) writeFileSync(page, benchPage(run));
if (isJson) process.stdout.write(`${JSON.stringify(run)}\n`);
else {
  const met = rows.filter(({ isMet }) => isMet).length;
  process.stdout.write(`${met} of ${rows.length} goals met (node ${run.node}, ${run.cores} cores)\n`);
}

function line({ figure, inputs, ours, bare, unit, goal, isMet }: BenchRow): string {
  const beside = bare === undefined ? '' : ` | bare ${shownFigure(bare, unit)} | ${(ours / bare).toFixed(2)}×`;
  return `${isMet ? 'met ' : 'MISS'} ${figure} (${inputs}): ${shownFigure(ours, unit)}${beside} | goal ${goal}`;
}
