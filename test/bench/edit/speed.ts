import { planEdit } from '../../../src/broker/plan-edit.ts';
import { type BenchRow, elapsed, limitRow, median, ratioRow, sideBySide } from '../bench-row.ts';

/** Lines of plain code, no two alike. */
function linesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => {
    const indent = '  '.repeat(at % 5);
    return `${indent}const value${at} = compute(${at}, options.entry${at % 97}, 'part ${at % 13}');`;
  });
}

/** Lines of the file with one word that the file does not have, as a model that remembers another state would send them. */
function missing(lines: readonly string[], start: number, count: number): string {
  const old = lines.slice(start, start + count);
  return old.with(count >> 1, (old[count >> 1] ?? '').replace('compute', 'derive')).join('\n');
}

function timed(text: string, oldString: string, rounds: number): readonly number[] {
  const request = { oldString, newString: `${oldString}\nfinish();`, replaceAll: false, path: 'bench.ts' };
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    planEdit(text, request);
    times.push(performance.now() - start);
  }
  return times;
}

/** The decisions of the edit engine, warm. Misses with their hints; an exact edit beside bare scans for it. */
export async function benchEdit(): Promise<readonly BenchRow[]> {
  const small = linesOf(10_000);
  const [text, large] = [small.join('\n'), linesOf(100_000).join('\n')];
  const rows: BenchRow[] = [];

  const exact = small.slice(7_000, 7_010).join('\n');
  const request = { oldString: exact, newString: `${exact}\nfinish();`, replaceAll: false, path: 'bench.ts' };
  const repeats = 50;
  const { ours, bare } = await sideBySide(
    41,
    () => elapsed(() => repeat(repeats, () => planEdit(text, request).status.length)),
    () => elapsed(() => repeat(repeats, () => bareScans(text, exact))),
  );
  rows.push(
    ratioRow({
      figure: 'exact edit, decision alone',
      inputs: '10 of 10,000 lines',
      ours: ours / repeats,
      bare: bare / repeats,
      most: 2,
    }),
  );

  timed(text, missing(small, 5_000, 40), 20);
  const miss = median(timed(text, missing(small, 7_000, 40), 21));
  rows.push(limitRow({ figure: 'miss with its hint', inputs: '40 of 10,000 lines', ours: miss, unit: 'ms', most: 10 }));
  const wide = median(timed(text, missing(small, 4_000, 200), 21));
  const largeLines = linesOf(100_000);
  const huge = median(timed(large, missing(largeLines, 40_000, 200), 9));
  rows.push(
    limitRow({ figure: 'miss with its hint', inputs: '200 of 100,000 lines', ours: huge, unit: 'ms', most: 150 }),
  );
  rows.push(
    limitRow({
      figure: 'the same, beside 10,000 lines',
      inputs: `200 lines, ${wide.toFixed(1)} ms`,
      ours: huge / wide,
      unit: 'ratio',
      most: 11,
    }),
  );

  const line = linesOf(20_000)
    .map((each) => each.trim())
    .join(' ');
  const part = line.slice(600_000, 602_000);
  const off = `${part.slice(0, 1_000)}#${part.slice(1_001)}`;
  timed(line, off, 5);
  rows.push(
    limitRow({
      figure: 'one character off',
      inputs: `2,000 characters in a line of ${(line.length / 1e6).toFixed(1)} MB`,
      ours: median(timed(line, off, 11)),
      unit: 'ms',
      most: 50,
    }),
  );
  return rows;
}

function repeat(times: number, run: () => number): number {
  let sum = 0;
  for (let round = 0; round < times; round++) sum += run();
  return sum;
}

/** Two searches and a count of lines up to the place: the least that says where an edit is and that it is alone. */
function bareScans(text: string, part: string): number {
  const at = text.indexOf(part);
  const other = text.indexOf(part, at + 1);
  let lines = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) lines += 1;
  return lines + other;
}
