import type { Report } from './build-report.ts';
import type { CallLinks } from './call-links.ts';
import { MEASURES, type MeasureKey } from './cell-measures.ts';
import { intervalChart } from './charts.ts';
import type { Difference } from './compare-cells.ts';
import { duration, number } from './figures.ts';
import { html, type Markup } from './html.ts';
import type { Section } from './run-sections.ts';
import { table } from './table.ts';

/** Two sets side by side; `undefined` for a report of one. */
export function comparison(
  { label, against, comparison: found, tokensEvery }: Report,
  links: CallLinks,
): Section | undefined {
  if (!found || !against) return undefined;
  const shown = found.differences.filter(({ key }) => tokensEvery > 0 || (key !== 'tokensIn' && key !== 'tokensOut'));
  const apart = shown.filter(({ verdict }) => verdict === 'differs');
  const few = shown.every(({ verdict }) => verdict === 'too few cells');
  const lead = few
    ? 'So few journals say nothing about chance: an interval takes two of each at least. The calls that changed are below.'
    : apart.length === 0
      ? 'No measure shows a difference.'
      : `${apart.length === 1 ? 'One measure differs' : `${apart.length} measures differ`}: ${apart.map(({ key }) => measureOf(key).name).join('; ')}.`;
  const how =
    found.method === 'paired'
      ? `Each journal is paired with the one of the same name; Student’s interval of the differences.${leftOut(found.unpaired, [against.label, label])}`
      : 'The sets have journals of different names, so they are not paired; Welch’s interval of the difference of means.';
  const rows = shown.map((each) => [
    measureOf(each.key).name,
    inUnit(each.key, each.first),
    inUnit(each.key, each.second),
    inUnit(each.key, each.difference),
    each.interval ? `${inUnit(each.key, each.interval[0])} to ${inUnit(each.key, each.interval[1])}` : '–',
    each.verdict,
    each.cells[0] === each.cells[1] ? number(each.cells[0]) : `${number(each.cells[0])} and ${number(each.cells[1])}`,
  ]);
  const columns = [
    'mean by journal',
    { n: against.label },
    { n: label },
    { n: 'difference' },
    { n: '95 % interval' },
    'verdict',
    { n: 'journals' },
  ];
  return {
    id: 'comparison',
    title: `${against.label} and ${label} compared`,
    body: html`<p><strong>${lead}</strong></p>
<p class="soft">${how} The intervals hold for all measures together with 95 % (Bonferroni), so that sets which differ in nothing show nothing.</p>
${intervalChart(shown.flatMap(rowOf), 'Differences with their intervals')}
${table('Measures compared', columns, rows)}
${changedCalls(found.calls, { links, names: [against.label, label] })}`,
  };
}

function leftOut(unpaired: readonly [number, number] | undefined, [first, second]: readonly [string, string]): string {
  if (!unpaired) return '';
  return ` Without one of their name, and left out here: ${number(unpaired[0])} of ${first}, ${number(unpaired[1])} of ${second}.`;
}

function changedCalls(
  calls: NonNullable<Report['comparison']>['calls'],
  { links, names }: { readonly links: CallLinks; readonly names: readonly [string, string] },
): Markup {
  if (!calls)
    return html`<h3>Calls that changed</h3><p>No journal of one set has the name of one of the other, so their calls can’t be laid side by side.</p>`;
  const { both, changed, onlyFirst, onlySecond, kinds, examples } = calls;
  return html`<h3 id="changed">Calls that changed</h3>
<p>${number(both)} calls were made with the same arguments in both; ${number(changed)} of them came out otherwise. ${number(onlyFirst)} were made in ${names[0]} only, ${number(onlySecond)} in ${names[1]} only.</p>
${
  changed === 0
    ? undefined
    : table(
        'How they changed',
        ['from → to', { n: 'calls' }],
        kinds.map(([kind, count]) => [kind, number(count)]),
      )
}
${
  changed === 0
    ? undefined
    : table(
        `The first ${number(examples.length)} of them`,
        ['change', names[0], names[1]],
        examples.map(({ what, first, second }) => [what, links.link(first, 'first'), links.link(second, 'second')]),
      )
}`;
}

function rowOf({ key, first, difference, interval, verdict }: Difference) {
  if (!interval || first === 0) return [];
  const [low, high] = interval;
  return [
    {
      name: measureOf(key).name,
      low: low / first,
      middle: difference / first,
      high: high / first,
      isApart: verdict === 'differs',
    },
  ];
}

const measureOf = (key: MeasureKey) => MEASURES.find((measure) => measure.key === key) ?? MEASURES[0];

function inUnit(key: MeasureKey, value: number): string {
  switch (measureOf(key).unit) {
    case 'count':
      return number(Number(value.toPrecision(3)));
    case 'share':
      return `${number(Number((100 * value).toPrecision(3)))} %`;
    case 'ms':
      return duration(value);
  }
}
