import type { CallLinks } from './call-links.ts';
import { barChart, timelineChart } from './charts.ts';
import { duration, number, share, size } from './figures.ts';
import { html, type Markup } from './html.ts';
import { FLOOD_BYTES, type RunSummary } from './run-summary.ts';
import { table } from './table.ts';

/** A part of the page, that its contents lead to. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}

interface Shown {
  readonly run: RunSummary;
  readonly links: CallLinks;
  readonly set: string;
}

const PLAIN = [{ name: 'calls', color: 'first' }] as const;

/** Calls and errors over the time of the run. */
export function timeline({ run }: Shown): Section {
  const { binMs, bins } = run.timeline;
  const rows = bins.flatMap(({ ok, refused, introduced, fixed }, index) =>
    ok + refused === 0
      ? []
      : [
          [
            `${duration(index * binMs)} – ${duration((index + 1) * binMs)}`,
            number(ok),
            number(refused),
            number(introduced),
            number(fixed),
          ],
        ],
  );
  const columns = ['since the start', { n: 'ok' }, { n: 'failed' }, { n: 'errors introduced' }, { n: 'fixed' }];
  return {
    id: 'timeline',
    title: 'Timeline',
    body: html`<p class="soft">Each bar is ${duration(binMs)} of the run, counted from the first call of its journal.</p>
${timelineChart(binMs, bins, 'Timeline')}<details><summary>The timeline as a table</summary>${table('Calls over time', columns, rows)}</details>`,
  };
}

/** By which strategy edits landed. */
export function edits({ run, links, set }: Shown): Section {
  const all = run.matchedVia.reduce((sum, { count }) => sum + count, 0);
  const exact = run.matchedVia.find(({ name }) => name === 'exact')?.count ?? 0;
  const bars = run.matchedVia.map(({ name, count }) => ({ name, value: count }));
  return {
    id: 'edits',
    title: 'Edits by how they matched',
    body: html`<p>Of ${number(all)} edits of files that landed, ${number(all - exact)} (${share(all - exact, all)}) landed only because drift was forgiven: exact matching alone would have refused them.</p>
${barChart(bars, { label: 'Landed edits by matched_via', axis: 'edits of files', series: [{ name: 'edits', color: 'first' }] })}
${table(
  'Landed edits by matched_via',
  ['matched_via', { n: 'edits' }, { n: 'share' }, 'calls'],
  run.matchedVia.map((via) => [via.name, number(via.count), share(via.count, all), links.list(via, set)]),
)}`,
  };
}

/** Which calls failed, and how long it took to get over that. */
export function refusals({ run, links, set }: Shown): Section {
  const bars = run.refusals.map(({ name, count }) => ({ name, value: count }));
  return {
    id: 'refusals',
    title: 'Refusals and recovery',
    body: html`<p>${number(run.failed)} of ${number(run.calls)} calls failed (${share(run.failed, run.calls)}). A refusal is over when a later call of its session changes the same file (of tools that change no file: when the same tool works); the calls up to there are counted.</p>
${barChart(bars, { label: 'Failed calls by code', axis: 'calls', series: [{ name: 'calls', color: 'bad' }] })}
${table(
  'Failed calls by code, and calls until recovery',
  ['code', { n: 'recovered' }, { n: 'never' }, { n: 'median' }, { n: 'p95' }, { n: 'worst' }, 'calls'],
  run.refusals.map((each) => {
    const { median, p95, worst } = each.callsUntil;
    const spread =
      each.recovered === 0 ? ['–', '–', '–'] : [median, p95, worst].map((value) => number(Math.round(value)));
    return [each.name, number(each.recovered), number(each.never), ...spread, links.list(each, set)];
  }),
)}
<h3 id="loops">Loops gated</h3>
<p>Calls that had failed twice in the same way, and were answered with the file’s present lines instead of being run: ${links.list(run.loops, set)}</p>`,
  };
}

/** Errors introduced and fixed, how long they stayed, and what servers were waited for. */
export function diagnostics({ run, links, set }: Shown): Section {
  const { introducedBy, fixedBy, late, stayCalls, stayMs } = run.errors;
  const waits = run.waits.map((each) => [
    `${each.name} (${each.kind === 'state' ? 'answer' : 'server'})`,
    duration(each.waitedMs),
    duration(each.median),
    duration(each.p95),
    duration(each.worst),
    links.list(each, set),
  ]);
  return {
    id: 'diagnostics',
    title: 'Diagnostics',
    body: html`<p>${number(run.introduced)} errors were introduced, ${number(run.fixed)} fixed, ${number(run.open)} of the introduced were open when their journals ended. The journal keeps how many came and went with each call, not which: of several, the oldest is taken to go first.</p>
${table(
  'Errors introduced and fixed',
  ['what', { n: 'errors' }, 'calls'],
  [
    ['introduced', number(run.introduced), links.list(introducedBy, set)],
    ['fixed', number(run.fixed), links.list(fixedBy, set)],
    ['of these told late, with a later call', '', links.list(late, set)],
  ],
)}
${table(
  'How long errors stayed that were fixed',
  ['measured in', { n: 'median' }, { n: 'p95' }, { n: 'worst' }],
  stayCalls.worst === 0
    ? []
    : [
        ['calls', ...[stayCalls.median, stayCalls.p95, stayCalls.worst].map((value) => number(Math.round(value)))],
        ['time', duration(stayMs.median), duration(stayMs.p95), duration(stayMs.worst)],
      ],
)}
<h3 id="waits">Time waited for language servers</h3>
<p>${duration(run.waitedMs)} in all. Several servers are waited for side by side, so theirs may sum to more.</p>
${table('Waited for diagnostics', ['by', { n: 'in all' }, { n: 'median' }, { n: 'p95' }, { n: 'worst' }, 'calls'], waits)}`,
  };
}

/** How long calls took, by tool. */
export function latency({ run, links, set }: Shown): Section {
  const bars = run.tools.map(({ name, p95 }) => ({ name, value: p95 }));
  return {
    id: 'latency',
    title: 'Latency by tool',
    body: html`<p class="soft">Median and p95 are within 1 % of the true value; the worst is exact.</p>
${barChart(bars, { label: 'p95 latency by tool', axis: 'p95', series: PLAIN, format: duration })}
${table(
  'Latency by tool',
  ['tool', { n: 'median' }, { n: 'p95' }, { n: 'worst' }, { n: 'in all' }, 'slowest', 'calls'],
  run.tools.map((tool) => [
    tool.name,
    ...[tool.median, tool.p95, tool.worst, tool.totalMs].map(duration),
    tool.slowest ? links.link(tool.slowest, set) : undefined,
    links.list(tool, set),
  ]),
)}`,
  };
}

/** Tokens in and out by tool; of one call in `every` where they were sampled. */
export function tokens({ run, links, set }: Shown, every: number): Section {
  const series = [
    { name: 'in', color: 'first' },
    { name: 'out', color: 'second' },
  ];
  const bars = run.tools.flatMap(({ name, tokens }) => [
    { name, value: tokens.input, part: 'in' },
    { name, value: tokens.output, part: 'out' },
  ]);
  const how =
    every === 0
      ? 'Tokens were not counted (--tokens none).'
      : every === 1
        ? 'Every call is counted (o200k): its arguments as JSON are in, the text of its result is out.'
        : `One call in ${every}, picked evenly, is counted (o200k) and stands for the others: the figures are estimates. In: the arguments as JSON; out: the text of the result.`;
  return {
    id: 'tokens',
    title: 'Tokens and truncation',
    body: html`<p class="soft">${how}</p>
${every === 0 ? undefined : barChart(bars, { label: 'Tokens in and out by tool', axis: 'tokens', series })}
${
  every === 0
    ? undefined
    : table(
        'Tokens by tool',
        ['tool', { n: 'in' }, { n: 'out' }, { n: 'out, of a call' }, { n: 'calls counted' }, 'calls'],
        run.tools.map((tool) => [
          tool.name,
          number(tool.tokens.input),
          number(tool.tokens.output),
          number(Math.round(tool.tokens.output / Math.max(1, tool.count))),
          number(tool.tokens.counted),
          links.list(tool, set),
        ]),
      )
}
<h3 id="cut">Truncation and floods</h3>
${table(
  'Long results',
  ['what', { n: 'bytes' }, 'calls'],
  [
    ['left out by truncation', size(run.cutBytes), links.list(run.cut, set)],
    [`floods: results over ${size(FLOOD_BYTES)}`, '', links.list(run.floods, set)],
  ],
)}`,
  };
}

/** Files that took several tries, were undone, or that others changed. */
export function fought({ run, links, set }: Shown): Section {
  const { files, forgotten } = run.fought;
  const series = [
    { name: 'refused', color: 'bad' },
    { name: 'undone', color: 'open' },
    { name: 'changed by others', color: 'second' },
  ];
  const bars = files.flatMap(({ path, refusals, undone, changedByOthers }) => [
    { name: path, value: refusals, part: 'refused' },
    { name: path, value: undone, part: 'undone' },
    { name: path, value: changedByOthers, part: 'changed by others' },
  ]);
  return {
    id: 'files',
    title: 'Files most fought over',
    body: html`<p class="soft">By calls refused on a file, changes undone, and times that it held something else than the last change had left there.${forgotten > 0 ? ` There were too many files to count each: ${number(forgotten)} quiet ones were let go.` : ''}</p>
${barChart(bars, { label: 'Files most fought over', axis: 'times', series })}
${table(
  'Files most fought over',
  ['file', { n: 'edits' }, { n: 'refused' }, { n: 'undone' }, { n: 'changed by others' }, 'calls'],
  files.map((file) => [
    file.path,
    ...[file.edits, file.refusals, file.undone, file.changedByOthers].map(number),
    links.list(file.calls, set),
  ]),
)}`,
  };
}
