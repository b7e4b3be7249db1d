import { createHash } from 'node:crypto';
import type { Report } from './build-report.ts';
import { CallLinks } from './call-links.ts';
import type { CallRef } from './call-list.ts';
import { callSection } from './call-section.ts';
import { comparison } from './comparison-section.ts';
import { duration, number, share } from './figures.ts';
import { html, Markup } from './html.ts';
import { PAGE_STYLE } from './page-style.ts';
import { diagnostics, edits, fought, latency, refusals, type Section, timeline, tokens } from './run-sections.ts';
import type { RunSummary } from './run-summary.ts';

/**
 * A report as one page that needs nothing else: no script, no network, which its policy holds it to. `blobsOf` says
 * where the texts of a call are kept.
 */
export async function renderPage(
  report: Report,
  blobsOf: (ref: CallRef, set: string) => string | undefined,
): Promise<string> {
  const links = new CallLinks({ journals: report.run.journals + (report.against?.run.journals ?? 0) });
  const shown = { run: report.run, links, set: 'second' };
  const compared = comparison(report, links);
  const sections: readonly Section[] = [
    ...(compared ? [compared] : []),
    timeline(shown),
    edits(shown),
    refusals(shown),
    diagnostics(shown),
    latency(shown),
    tokens(shown, report.tokensEvery),
    fought(shown),
  ];
  const calls = await callSection(links, blobsOf);
  const all = [...sections, calls];
  const hash = createHash('sha256').update(PAGE_STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const title = report.against ? `${report.against.label} and ${report.label}` : report.label;
  return `<!doctype html>\n${
    html`<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title}: emend report</title><style>${new Markup(PAGE_STYLE)}</style></head>
<body><a class="skip" href="#main">To the figures</a>
<header><h1>${title}</h1>${about(report.run)}
${report.against ? html`<p class="soft">The figures below the comparison are those of ${report.label}.</p>` : undefined}
<nav aria-label="Contents"><ul>${all.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav></header>
<main id="main">${skippedNotice(report)}${cards(report)}
${all.map(({ id, title: name, body }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>${body}</section>`)}
</main></body></html>`.text
  }\n`;
}

function about({ journals, calls, sessions, from, to, versions }: RunSummary): Markup {
  const emend = versions.map(
    ({ name, count }) => `emend ${name}${versions.length > 1 ? ` (${number(count)} calls)` : ''}`,
  );
  const when =
    from === '' ? '' : `, ${from.slice(0, 16).replace('T', ' ')} to ${to.slice(0, 16).replace('T', ' ')} UTC`;
  return html`<p class="soft">${number(calls)} calls of ${number(sessions)} sessions in ${number(journals)} ${journals === 1 ? 'journal' : 'journals'}${when}. ${emend.join(', ')}</p>`;
}

function skippedNotice({ run, against }: Report): Markup {
  const lines = [run, ...(against ? [against.run] : [])].flatMap(({ skipped }) => [
    ...[skipped.broken > 0 ? `${number(skipped.broken)} broken lines` : []].flat(),
    ...[
      skipped.other_version > 0 ? `${number(skipped.other_version)} lines of another version of the journal` : [],
    ].flat(),
    ...[skipped.too_long > 0 ? `${number(skipped.too_long)} lines of over 1 MB` : []].flat(),
    ...[skipped.unreadable > 0 ? `${number(skipped.unreadable)} files that could not be read to the end` : []].flat(),
    ...[
      skipped.texts > 0 ? `the tokens of ${number(skipped.texts)} calls whose texts are not kept any more` : [],
    ].flat(),
  ]);
  return lines.length === 0 ? html`` : html`<p class="notice" role="note">Not in the figures: ${lines.join('; ')}.</p>`;
}

function cards({ run, tokensEvery }: Report): Markup {
  const landed = run.matchedVia.reduce((sum, { count }) => sum + count, 0);
  const exact = run.matchedVia.find(({ name }) => name === 'exact')?.count ?? 0;
  const sum = (side: 'input' | 'output'): number => run.tools.reduce((all, { tokens: each }) => all + each[side], 0);
  const about = tokensEvery > 1 ? 'about ' : '';
  const list: readonly (readonly [string, string, string])[] = [
    [number(run.calls), 'calls', 'timeline'],
    [share(run.failed, run.calls), `failed: ${number(run.failed)} calls`, 'refusals'],
    [share(landed - exact, landed), `of ${number(landed)} landed edits were not exact`, 'edits'],
    [number(run.loops.count), 'loops gated', 'loops'],
    [`${number(run.introduced)} / ${number(run.fixed)}`, 'errors introduced / fixed', 'diagnostics'],
    [duration(run.waitedMs), 'waited for language servers', 'waits'],
    ...(tokensEvery === 0
      ? []
      : [
          [
            `${about}${number(sum('input') + sum('output'))}`,
            `tokens: ${number(sum('input'))} in, ${number(sum('output'))} out`,
            'tokens',
          ] as const,
        ]),
    [number(run.floods.count), 'output floods', 'cut'],
  ];
  return html`<ul class="cards">${list.map(([figure, what, id]) => html`<li><b>${figure}</b><span><a href="#${id}">${what}</a></span></li>`)}</ul>`;
}
