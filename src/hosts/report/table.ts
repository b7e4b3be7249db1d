import { html, type Markup } from './html.ts';

/** A column; `n`: figures, which stand to the right. */
type Column = string | { readonly n: string };
type Cell = Markup | string | number | undefined;

/** A table whose first column heads its rows. Wide ones scroll in themselves, by keyboard too. */
export function table(caption: string, columns: readonly Column[], rows: readonly (readonly Cell[])[]): Markup {
  if (rows.length === 0) return html`<p class="soft">${caption}: none.</p>`;
  const head = columns.map((column) =>
    typeof column === 'string'
      ? html`<th scope="col">${column}</th>`
      : html`<th scope="col" class="n">${column.n}</th>`,
  );
  const body = rows.map((row) => {
    const cells = row.map((cell, index) => {
      if (index === 0) return html`<th scope="row">${cell}</th>`;
      return typeof columns[index] === 'string' ? html`<td>${cell}</td>` : html`<td class="n">${cell}</td>`;
    });
    return html`<tr>${cells}</tr>`;
  });
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
