import type { Activity } from '../editor-protocol.ts';

export type { Activity };

/** What the status item says of who is there and what was changed last. */
export function describeActivity(activity: Activity | undefined): { readonly text: string; readonly tooltip: string } {
  const fronts = activity?.fronts ?? 0;
  const last = activity?.lastEdit;
  const who = fronts === 0 ? 'no agent' : fronts === 1 ? '1 agent' : `${fronts} agents`;
  const what = last
    ? `Last edit ${last.id}: ${last.files.map(({ path, added, removed }) => `${nameOf(path)} (+${added} -${removed})`).join(', ')}`
    : 'No edit yet';
  return { text: `$(edit) emend: ${who}${last ? `, ${last.id}` : ''}`, tooltip: `${who} connected. ${what}` };
}

/** The last edit as unified diffs. */
export function diffOf(activity: Activity | undefined): string {
  return activity?.lastEdit?.files.map(({ diff }) => diff).join('\n') ?? '';
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
