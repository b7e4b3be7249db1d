import { cutAround, plural } from '../../workspace/truncation.ts';
import { type LocatedPlace, type LocatedPlaces, MAX_PLACES } from './located-places.ts';

const MAX_LINE = 200;
const MAX_FILES_NAMED = 12;

/** Places grouped by file, each line with its code, then how many there are; a cut names the files that were left out. */
export function placesText(located: LocatedPlaces, noun: string): string {
  const { places } = located;
  const shown = places.slice(0, MAX_PLACES);
  const rows = groups(shown).flatMap(([file, own]) => [fileRow(file, own), ...lineRows(own)]);
  return [...rows, footer(located, noun)].join('\n');
}

/** `(7 references in 3 files)`. */
function footer({ places, denied }: LocatedPlaces, noun: string): string {
  const files = groups(places).length;
  const all = `${plural(places.length, noun)} in ${plural(files, 'file')}`;
  const parts = [places.length > MAX_PLACES ? `${MAX_PLACES} of ${all}` : all];
  const left = groups(places.slice(MAX_PLACES));
  if (left.length > 0) {
    const named = left.slice(0, MAX_FILES_NAMED).map(([file, own]) => `${file} ${own.length}`);
    const more = left.length > named.length ? `, ${left.length - named.length} more files` : '';
    parts.push(`not shown: ${named.join(', ')}${more}`);
  }
  if (denied > 0) parts.push(`${denied} more in files on the deny list`);
  return `(${parts.join('; ')})`;
}

function groups(places: readonly LocatedPlace[]): readonly (readonly [string, readonly LocatedPlace[]])[] {
  const byFile = new Map<string, LocatedPlace[]>();
  for (const place of places) {
    const own = byFile.get(place.shown);
    if (own) own.push(place);
    else byFile.set(place.shown, [place]);
  }
  return [...byFile];
}

function fileRow(file: string, [first]: readonly LocatedPlace[]): string {
  switch (first?.kind) {
    case 'library':
      return `${file} (library)`;
    case 'outside':
      return `${file} (library, outside the root)`;
    case 'own':
    case undefined:
      return file;
  }
}

/** `17:9  if (!check(token)) return;  (in login)`; places on one line share it: `17:9,22`. */
function lineRows(places: readonly LocatedPlace[]): readonly string[] {
  const byLine = new Map<number, LocatedPlace[]>();
  for (const place of places) {
    if (!place.range) continue;
    const { line } = place.range.start;
    byLine.set(line, [...(byLine.get(line) ?? []), place]);
  }
  return [...byLine].map(([line, own]) => {
    const columns = own.map(({ range }) => (range?.start.character ?? 0) + 1).join(',');
    const { code, remark } = own[0] ?? {};
    const text = code === undefined ? '' : `  ${cutCode(code)}`;
    return `${line + 1}:${columns}${text}${remark === undefined ? '' : `  (${remark})`}`;
  });
}

function cutCode(code: string): string {
  return cutAround(code, { start: 0, end: 0 }, MAX_LINE).text;
}
