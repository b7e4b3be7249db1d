import type { Refusal } from '../broker/refusal.ts';
import { refuse } from '../broker/refusal.ts';
import { StoreError } from '../workspace/document-store.ts';
import type { ToolCall } from './tool.ts';

/** A failure of one file of several: `at` is the first of the paths that it is about, 0-based; none where it tells of no file. */
interface FailedPart {
  readonly refusal: Refusal;
  readonly at: number | undefined;
  readonly shown: string;
}

/**
 * Runs what changes the files that were named. A failure of the world comes back as a value that speaks of its file as
 * results show it, so that it can be told as the part of the call that it is of.
 */
export async function orFailed<T>(
  call: ToolCall,
  spelled: readonly string[],
  change: () => Promise<T>,
): Promise<T | (Refusal & { readonly opened: readonly [] })> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { code, message } = error;
    let told = message;
    for (const { path, shown } of await placesOf(call, spelled)) told = told.replaceAll(path, shown);
    return { ...refuse(code, told), opened: [] };
  }
}

/** Which of the files that were named a refusal is about. */
export async function failedPart(call: ToolCall, spelled: readonly string[], refusal: Refusal): Promise<FailedPart> {
  const places = await placesOf(call, spelled);
  const about = places.filter(({ shown }) => refusal.message.includes(shown));
  const [longest] = about.toSorted((a, b) => b.shown.length - a.shown.length);
  const at = longest && places.findIndex(({ path }) => path === longest.path);
  return { refusal, at, shown: longest?.shown ?? '' };
}

/** Whether a refusal says already what became of the files. */
export function saysAll({ message }: Refusal): boolean {
  return /\bno file was changed\b/i.test(message) || message.startsWith('the change failed half way');
}

async function placesOf(
  call: ToolCall,
  spelled: readonly string[],
): Promise<readonly { readonly path: string; readonly shown: string }[]> {
  const { confinement } = call.session.root;
  const places = await Promise.all(spelled.map((path) => confinement.resolve(path)));
  return places.map((place, index) =>
    place.status === 'inside' ? place : { path: spelled[index] ?? '', shown: spelled[index] ?? '' },
  );
}
