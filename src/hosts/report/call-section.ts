import type { CallLinks } from './call-links.ts';
import type { CallRef } from './call-list.ts';
import { readCallText } from './call-texts.ts';
import { duration } from './figures.ts';
import { html, type Markup } from './html.ts';
import type { Section } from './run-sections.ts';
import { shortName } from './short-name.ts';

const MAX_TEXT = 1200;

/** The calls that the page's figures lead to, with the beginning of what was asked and answered. */
export async function callSection(
  links: CallLinks,
  blobsOf: (ref: CallRef, set: string) => string | undefined,
): Promise<Section> {
  const articles: Markup[] = [];
  for (const { id, ref, set } of links.all()) {
    const blobs = blobsOf(ref, set);
    const [args, result] = await Promise.all([ref.args, ref.result].map((hash) => excerpt(blobs, hash)));
    articles.push(html`<article id="${id}"><h3>${links.nameOf(ref)}</h3>
<p class="soft">${ref.outcome}, ${duration(ref.ms)}, ${ref.time}, line ${ref.line} of its journal</p>
<details><summary>What was asked and answered</summary><pre tabindex="0" aria-label="arguments">${args}</pre><pre tabindex="0" aria-label="result">${result}</pre></details></article>`);
  }
  return {
    id: 'calls',
    title: 'The calls',
    body: html`<p class="soft">The calls that the figures above lead to: the first dozen of each. All others are in the journals, by the line numbers here.</p>${articles}`,
  };
}

async function excerpt(blobs: string | undefined, hash: string): Promise<string> {
  const kept = blobs === undefined ? undefined : await readCallText(blobs, hash);
  return kept === undefined ? '(its text is not kept any more)' : shortName(kept.text, MAX_TEXT);
}
