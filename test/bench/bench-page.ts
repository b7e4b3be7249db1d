import type { BenchRow } from './bench-row.ts';

/** What a run of the bench was made on. */
export interface BenchRun {
  readonly emend: string;
  readonly node: string;
  readonly cores: number;
  /** `2026-12-02`. */
  readonly date: string;
  readonly rows: readonly BenchRow[];
}

/** The page of the documentation that shows one run. */
export function benchPage({ emend, node, cores, date, rows }: BenchRun): string {
  const met = rows.filter(({ isMet }) => isMet).length;
  return [
    '# Benchmark results',
    '',
    '```sh',
    'npm ci',
    'npm run bench                      # every figure',
    'npm run bench -- search            # one room: edit, commit, search, memory, diagnostics, navigation, start-up',
    'npm run bench -- --json            # for machines',
    'npm run bench -- --page docs/benchmarks.md',
    '```',
    '',
    'Each figure is measured beside its bare baseline in the same run, in turn, and stated as a ratio: times alone say',
    'more of a machine than of emend. The bench makes its own inputs. It wants a machine that does nothing else.',
    '',
    `This page was written by one run: emend ${emend}, Node ${node}, ${cores} cores, ${date}; ${met} of ${rows.length} goals met.`,
    '',
    '| figure | inputs | emend | bare | ratio | goal | |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(tableRow),
    '',
  ].join('\n');
}

/** `1806 ms`, `2.7 ms`, `0.52 ms`. */
export function shownFigure(value: number, unit: BenchRow['unit']): string {
  const number = value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(3);
  return unit === 'ratio' ? `${number}×` : `${number} ${unit}`;
}

function tableRow({ figure, inputs, ours, bare, unit, goal, isMet }: BenchRow): string {
  const cells = [
    figure,
    inputs,
    shownFigure(ours, unit),
    bare === undefined ? '' : shownFigure(bare, unit),
    bare === undefined ? '' : `${(ours / bare).toFixed(2)}×`,
    goal,
    isMet ? 'met' : '**missed**',
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
