import { cpus } from 'node:os';
import type { BenchRow } from './bench-row.ts';

/**
 * `npm run bench [-- NAME…] [--json]`: every figure with its inputs, beside its bare baseline where it has one. Names
 * pick benches; without any, all run.
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

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isJson = process.argv.includes('--json');
const rows: BenchRow[] = [];
for (const [name, load] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const bench = await load();
  for (const row of await bench()) {
    rows.push(row);
    if (!isJson) process.stdout.write(`${line(row)}\n`);
  }
}
if (isJson) process.stdout.write(`${JSON.stringify({ node: process.version, cpus: cpus().length, rows })}\n`);
else
  process.stdout.write(
    `${rows.filter(({ isMet }) => isMet).length} of ${rows.length} goals met (node ${process.version}, ${cpus().length} cores)\n`,
  );

function line(row: BenchRow): string {
  const ours = `${round(row.ours)} ${row.unit}`;
  const bare =
    row.bare === undefined ? '' : ` | bare ${round(row.bare)} ${row.unit} | ${(row.ours / row.bare).toFixed(2)}×`;
  return `${row.isMet ? 'met ' : 'MISS'} ${row.figure} (${row.inputs}): ${ours}${bare} | goal ${row.goal}`;
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(3);
}
