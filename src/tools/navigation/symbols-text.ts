import type { OutlineSymbol } from '../../diagnostics/outline.ts';
import { cutLine, plural } from '../../workspace/truncation.ts';
import type { ToolCall } from '../tool.ts';
import type { FoundSymbols } from './ask-workspace.ts';
import { type LocatedPlaces, locatePlaces } from './located-places.ts';
import { placesText } from './places-text.ts';
import { kindName } from './symbol-kinds.ts';

/** Of one file more are not shown. */
export const MAX_SYMBOLS = 300;
const MAX_NAME = 200;

/** A file's symbols, members under what has them: `41-63 method check`. */
export function outlineText(
  outline: readonly OutlineSymbol[],
  shown: string,
): { readonly text: string; readonly total: number } {
  const rows: string[] = [];
  const visit = (symbol: OutlineSymbol): void => {
    const depth = symbol.names.length - 1;
    const { firstLine, lastLine } = symbol;
    const lines = firstLine === lastLine ? `${firstLine + 1}` : `${firstLine + 1}-${lastLine + 1}`;
    rows.push(
      `${'  '.repeat(depth)}${lines} ${kindName(symbol.kind)} ${cutLine(symbol.names.at(-1) ?? '', MAX_NAME).text}`,
    );
    [...symbol.children].sort(byLine).forEach(visit);
  };
  [...outline].sort(byLine).forEach(visit);
  const total = rows.length;
  const count = total > MAX_SYMBOLS ? `${MAX_SYMBOLS} of ${plural(total, 'symbol')}` : plural(total, 'symbol');
  return { text: [shown, ...rows.slice(0, MAX_SYMBOLS), `(${count})`].join('\n'), total };
}

/** What was found in the workspace, grouped by file. */
export async function symbolsText(
  call: ToolCall,
  query: string,
  found: readonly FoundSymbols[],
): Promise<{ readonly text: string; readonly total: number }> {
  const each = await Promise.all(
    found.map((one) => {
      const places = one.symbols.map(({ uri, range, kind, name, containerName }) => ({
        uri,
        range,
        remark: `${kindName(kind)} ${isWithin(name, containerName) ? '' : `${containerName}/`}${name}`,
      }));
      return locatePlaces(call, places, one);
    }),
  );
  const all: LocatedPlaces = {
    places: each.flatMap(({ places }) => places),
    denied: each.reduce((sum, { denied }) => sum + denied, 0),
  };
  const total = all.places.length;
  if (total === 0 && all.denied === 0) return { text: `no symbol matches ${JSON.stringify(query)}`, total };
  return { text: placesText(all, 'symbol'), total };
}

/** Whether the name says by itself what the symbol lies in, or there is nothing to say. */
function isWithin(name: string, containerName: string | undefined): boolean {
  return containerName === undefined || name.startsWith(containerName);
}

function byLine(a: OutlineSymbol, b: OutlineSymbol): number {
  return a.firstLine - b.firstLine || a.namePosition.character - b.namePosition.character;
}
