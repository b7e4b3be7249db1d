import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { duration, number } from './figures.ts';
import { html, Markup } from './html.ts';
import type { Bin } from './time-bins.ts';

/** Charts are drawn twice, for wide and for narrow pages: letters that are scaled down can't be read. */
const WIDTHS = { wide: 860, narrow: 350 } as const;
type WidthName = keyof typeof WIDTHS;

interface Bar {
  readonly name: string;
  readonly value: number;
  /** What the colour tells; one of `series` where there are several. */
  readonly part?: string;
}

/** A series and the custom property of the page's style that is its colour. */
interface Series {
  readonly name: string;
  readonly color: string;
}

/** Bars from left to right, one row for each name. `label` is all that is read aloud: the table below has the figures. */
export function barChart(
  bars: readonly Bar[],
  {
    label,
    axis,
    series,
    format = number,
  }: {
    readonly label: string;
    readonly axis: string;
    readonly series: readonly Series[];
    readonly format?: (value: number) => string;
  },
): Markup {
  const names = [...new Set(bars.map(({ name }) => name))];
  if (names.length === 0) return html``;
  const totals = names.map((name) => ({
    name,
    value: bars.filter((bar) => bar.name === name).reduce((sum, { value }) => sum + value, 0),
  }));
  const most = Math.max(...totals.map(({ value }) => value), 0);
  return drawn(label, series, (width) => {
    const letters = width === 'wide' ? 30 : 19;
    const cut = (name: string): string => (name.length > letters ? `${name.slice(0, letters - 1)}…` : name);
    return {
      height: names.length * 26 + 40,
      marginLeft: Math.max(...names.map((name) => cut(name).length)) * 6.6 + 14,
      marginRight: 56,
      marginTop: 4,
      marginBottom: 34,
      x: {
        label: axis,
        labelArrow: 'none',
        ticks: width === 'wide' ? 6 : 3,
        tickFormat: format,
        domain: [0, most || 1],
        nice: true,
        grid: true,
      },
      y: { label: null, domain: names, tickSize: 0, tickFormat: cut },
      color: { domain: series.map(({ name }) => name), range: series.map(({ color }) => `var(--${color})`) },
      marks: [
        Plot.barX(bars, {
          x: 'value',
          y: 'name',
          fill: (bar: Bar) => bar.part ?? series[0]?.name,
          insetTop: 2,
          insetBottom: 2,
        }),
        Plot.text(totals, {
          x: 'value',
          y: 'name',
          text: ({ value }: { value: number }) => format(value),
          textAnchor: 'start',
          dx: 6,
        }),
        Plot.ruleX([0]),
      ],
    };
  });
}

const CALLS = [
  { name: 'ok', color: 'good' },
  { name: 'failed', color: 'bad' },
] as const;
const ERRORS = [{ name: 'errors open', color: 'open' }] as const;

/** Calls over time, and the errors that are open, one above the other. */
export function timelineChart(binMs: number, bins: readonly Readonly<Bin>[], label: string): Markup {
  if (bins.length === 0) return html``;
  const rows = bins.flatMap((bin, index) => [
    { from: index * binMs, to: (index + 1) * binMs, value: bin.ok, part: 'ok' },
    { from: index * binMs, to: (index + 1) * binMs, value: bin.refused, part: 'failed' },
  ]);
  let open = 0;
  const errors = bins.map((bin, index) => {
    open = Math.max(0, open + bin.introduced - bin.closed);
    return { at: (index + 1) * binMs, open };
  });
  const x = (width: WidthName) => ({
    ...{ label: 'since the start of each journal', labelArrow: 'none' as const, tickFormat: duration },
    ...{ ticks: width === 'wide' ? 7 : 3, domain: [0, bins.length * binMs] },
  });
  const box = { marginLeft: 48, marginRight: 24, marginBottom: 44 };
  return html`${drawn(`${label}: calls over time`, CALLS, (width) => ({
    ...box,
    height: 190,
    x: x(width),
    y: { label: 'calls', labelArrow: 'none', grid: true, ticks: 4 },
    color: { domain: CALLS.map(({ name }) => name), range: CALLS.map(({ color }) => `var(--${color})`) },
    marks: [
      Plot.rectY(rows, { x1: 'from', x2: 'to', y: 'value', fill: 'part', insetLeft: 0.5, insetRight: 0.5 }),
      Plot.ruleY([0]),
    ],
  }))}${
    errors.some((each) => each.open > 0)
      ? drawn(`${label}: errors open over time`, ERRORS, (width) => ({
          ...box,
          height: 130,
          x: x(width),
          y: { label: 'errors open', labelArrow: 'none', grid: true, ticks: 3 },
          marks: [
            Plot.areaY([{ at: 0, open: 0 }, ...errors], {
              x: 'at',
              y: 'open',
              curve: 'step-before',
              fill: 'var(--open)',
              fillOpacity: 0.25,
            }),
            Plot.lineY([{ at: 0, open: 0 }, ...errors], {
              x: 'at',
              y: 'open',
              curve: 'step-before',
              stroke: 'var(--open)',
              strokeWidth: 2,
            }),
            Plot.ruleY([0]),
          ],
        }))
      : undefined
  }`;
}

interface IntervalRow {
  readonly name: string;
  /** In units of the first set's figure: 0.1 is ten percent more. */
  readonly low: number;
  readonly middle: number;
  readonly high: number;
  readonly isApart: boolean;
}

/** Differences with their intervals, as shares of what they differ from. */
export function intervalChart(rows: readonly IntervalRow[], label: string): Markup {
  if (rows.length === 0) return html``;
  const series = [
    { name: 'differs', color: 'bad' },
    { name: 'no difference shown', color: 'plain' },
  ];
  const limit = Math.min(2, Math.max(0.05, ...rows.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)])));
  const shown = rows.map((row) => ({
    ...row,
    low: Math.max(-limit, row.low),
    high: Math.min(limit, row.high),
    middle: Math.max(-limit, Math.min(limit, row.middle)),
    part: row.isApart ? 'differs' : 'no difference shown',
  }));
  return drawn(label, series, (width) => {
    const letters = width === 'wide' ? 34 : 18;
    const cut = (name: string): string => (name.length > letters ? `${name.slice(0, letters - 1)}…` : name);
    return {
      height: rows.length * 26 + 44,
      marginLeft: Math.max(...rows.map(({ name }) => cut(name).length)) * 6.4 + 14,
      marginRight: 24,
      marginTop: 4,
      marginBottom: 36,
      x: {
        label: 'change, in percent of the first',
        labelArrow: 'none',
        domain: [-limit, limit],
        ticks: width === 'wide' ? 7 : 3,
        tickFormat: (value: number) => `${number(100 * value)} %`,
        grid: true,
      },
      y: { label: null, domain: rows.map(({ name }) => name), tickSize: 0, tickFormat: cut },
      color: { domain: series.map(({ name }) => name), range: series.map(({ color }) => `var(--${color})`) },
      marks: [
        Plot.ruleX([0]),
        Plot.ruleY(shown, { x1: 'low', x2: 'high', y: 'name', stroke: 'part', strokeWidth: 3 }),
        Plot.dot(shown, { x: 'middle', y: 'name', fill: 'part', r: 5 }),
      ],
    };
  });
}

function drawn(label: string, series: readonly Series[], options: (width: WidthName) => Plot.PlotOptions): Markup {
  const legend =
    series.length > 1
      ? html`<p class="legend">${series.map(({ name, color }) => html`<span><i class="swatch ${color}"></i>${name}</span> `)}</p>`
      : undefined;
  return html`<figure>${legend}<div class="wide">${svg(label, 'wide', options)}</div><div class="narrow">${svg(label, 'narrow', options)}</div></figure>`;
}

function svg(label: string, width: WidthName, options: (width: WidthName) => Plot.PlotOptions): Markup {
  const { document } = parseHTML('<html><body></body></html>');
  const plot = Plot.plot({
    ...options(width),
    ...{ document, width: WIDTHS[width], className: 'plot', style: { fontSize: '12px' }, ariaLabel: label },
  });
  // The style that it brings would need leave of its own from the page's policy; the page has it.
  plot.querySelector('style')?.remove();
  for (const each of plot.querySelectorAll('[aria-label]')) each.removeAttribute('aria-label');
  plot.removeAttribute('style');
  plot.setAttribute('font-size', '12');
  plot.setAttribute('role', 'img');
  return new Markup(plot.outerHTML);
}
