import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type EditCase, parseCases } from './edit-case.ts';
import { dependencySources, makeCases } from './make-cases.ts';
import { type Scored, scoreCase } from './score.ts';

/**
 * `npm run bench:edit [-- --cases FILE] [--fails] [--json] [--seed S] [--per-class N]`: scores a case file, or cases made
 * from files that the project's dependencies ship. Exits 1 where an edit was damaged.
 */
const { values } = parseArgs({
  options: {
    cases: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'per-class': { type: 'string', default: '25' },
    fails: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const scored = casesToScore().map(scoreCase);
if (values.json) process.stdout.write(`${JSON.stringify(summary(scored))}\n`);
else process.stdout.write(`${table(scored)}\n`);
process.exitCode = scored.some(({ verdict }) => verdict === 'damaged') ? 1 : 0;

function casesToScore(): readonly EditCase[] {
  if (values.cases !== undefined) return parseCases(readFileSync(values.cases, 'utf8'));
  const root = join(import.meta.dirname, '../../..');
  return makeCases(dependencySources(root), { seed: values.seed, perClass: Number(values['per-class']) });
}

interface Tally {
  readonly expect: string;
  n: number;
  right: number;
  refused: number;
  damaged: number;
}

function tallies(list: readonly Scored[]): ReadonlyMap<string, Tally> {
  const rows = new Map<string, Tally>();
  for (const { case: each, verdict } of list) {
    const row = rows.get(each.class) ?? { expect: each.expect, n: 0, right: 0, refused: 0, damaged: 0 };
    rows.set(each.class, row);
    row.n += 1;
    row[verdict] += 1;
  }
  return rows;
}

function summary(list: readonly Scored[]): Readonly<Record<string, unknown>> {
  const apply = list.filter(({ case: { expect } }) => expect === 'apply');
  const must = apply.filter(({ case: each }) => !each.may_refuse);
  const count = (of: readonly Scored[], verdict: Scored['verdict']): number =>
    of.filter((each) => each.verdict === verdict).length;
  const times = list.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    apply: apply.length,
    recovered: count(apply, 'right'),
    mustNotRefuse: must.length,
    recoveredOfThose: count(must, 'right'),
    damagedEdits: count(apply, 'damaged'),
    hazards: list.length - apply.length,
    hazardsApplied: count(
      list.filter(({ case: { expect } }) => expect === 'reject'),
      'damaged',
    ),
    medianMs: times[times.length >> 1],
    maxMs: times.at(-1),
  };
}

function table(list: readonly Scored[]): string {
  const row = (...cells: readonly (string | number)[]): string =>
    cells.map((cell, at) => (at === 0 ? String(cell).padEnd(28) : String(cell).padStart(9))).join('');
  const share = (part: number, of: number): string =>
    `${part}/${of} (${((100 * part) / Math.max(1, of)).toFixed(1)} %)`;
  const all = summary(list) as Record<string, number>;
  const number = (key: string): number => all[key] ?? 0;
  const fails = list.filter(({ verdict }) => verdict !== 'right');
  return [
    row('class', 'expect', 'n', 'right', 'refused', 'damaged'),
    ...[...tallies(list)].map(([name, { expect, n, right, refused, damaged }]) =>
      row(name, expect, n, right, refused, damaged),
    ),
    '',
    `recovered ${share(number('recovered'), number('apply'))}, of those that must not be refused ${share(number('recoveredOfThose'), number('mustNotRefuse'))}; damaged ${number('damagedEdits')} edits, ${number('hazardsApplied')} of ${number('hazards')} hazards applied; ${number('medianMs').toFixed(2)} ms median, ${number('maxMs').toFixed(0)} ms most`,
    ...(values.fails
      ? fails.map(
          ({ case: { id }, verdict, result }) =>
            `${verdict.padEnd(8)} ${id} ${result.status === 'refused' ? (result.message.split('\n')[0] ?? '') : result.matchedVia}`,
        )
      : []),
  ].join('\n');
}
