import type { CallList, CallRef } from './call-list.ts';
import { number } from './figures.ts';
import { html, type Markup } from './html.ts';

/** Gives each call that the page names a place of its own in it, whatever the call is called. */
export class CallLinks {
  readonly #calls = new Map<string, { readonly id: string; readonly ref: CallRef; readonly set: string }>();
  readonly #journals: number;

  /** Where there is but one journal, its name tells no call from another. */
  constructor({ journals }: { readonly journals: number }) {
    this.#journals = journals;
  }

  /** `set` tells the journals of two sets apart. */
  link(ref: CallRef, set: string): Markup {
    const key = `${set}\0${ref.key}`;
    const known = this.#calls.get(key) ?? { id: `call-${this.#calls.size + 1}`, ref, set };
    this.#calls.set(key, known);
    return html`<a href="#${known.id}">${this.nameOf(ref)}</a>`;
  }

  /** The calls behind a figure, to be opened: their number, and the first of them. */
  list({ count, calls }: CallList, set: string): Markup {
    if (count === 0) return html`0`;
    const items = calls.map((ref) => html`<li>${this.link(ref, set)} ${ref.outcome === 'ok' ? '' : ref.outcome}</li>`);
    const rest = count > calls.length ? html`<li>and ${number(count - calls.length)} more</li>` : undefined;
    return html`<details><summary>${number(count)} ${count === 1 ? 'call' : 'calls'}</summary><ul>${items}${rest}</ul></details>`;
  }

  all(): readonly { readonly id: string; readonly ref: CallRef; readonly set: string }[] {
    return [...this.#calls.values()];
  }

  nameOf({ cell, receipt, tool, paths: [path] }: CallRef): string {
    return [this.#journals > 1 ? cell : undefined, receipt, tool, path].filter((part) => part !== undefined).join(' ');
  }
}
