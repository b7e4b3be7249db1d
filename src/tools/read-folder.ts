import { join } from 'node:path';
import { type PageRequest, pageOfText } from '../workspace/text-page.ts';
import { visibleName } from '../workspace/visible-text.ts';
import type { Answer } from './answer.ts';
import type { NamedPath } from './named-path.ts';
import { entriesOf, pageFacts, pastTheEnd } from './read-page.ts';
import type { ToolCall, ToolResult } from './tool.ts';

const ENDS = { file: '', directory: '/', link: '@', other: '=' } as const;

/** The entries of a folder: folders with a `/` at their end, links with an `@`, devices and the like with an `=`. */
export async function readFolder(
  call: ToolCall,
  place: NamedPath,
  request: PageRequest,
  answer: Answer,
): Promise<ToolResult> {
  const { store, confinement } = call.session.root;
  const entries = (await store.list(place.path)).filter(({ name }) => !confinement.isDenied(join(place.path, name)));
  const noted = (lines: readonly string[]) => [place.note, ...lines].filter((line) => line !== undefined).join('\n');
  if (entries.length === 0) return answer.ok(noted(['(empty folder)']), { complete: true, total: 0 });
  const listing = entries.map(({ name, kind }) => `${visibleName(name)}${ENDS[kind]}\n`).join('');
  const page = pageOfText(listing, request);
  if (page.lines.length === 0) return pastTheEnd(place, request, page, answer);
  const rest = page.next === undefined ? '' : `; next offset ${page.next}`;
  const footer = `(folder ${place.shown}, ${entriesOf(entries.length)}${rest})`;
  return answer.ok(noted([...page.lines, footer]), {
    ...pageFacts(page, request, () => Buffer.byteLength(listing)),
    total: entries.length,
  });
}
