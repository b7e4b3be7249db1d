import { dirname } from 'node:path';
import type { ChangeKind, DocumentStore } from '../../workspace/document-store.ts';
import type { FileBefore, PlannedFile } from '../change-request.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { encodePlan } from './encode-plan.ts';
import { orderSteps } from './order-steps.ts';
import { isIdle, type StagedFile, type StagedPlan } from './staged-file.ts';

/** What a plan comes to, step by step; and its parts with their contents, without those that change nothing. */
interface StagedChange {
  readonly status: 'staged';
  readonly steps: readonly StagedFile[];
  readonly plans: readonly StagedPlan[];
}

/** The files that go or move, by path. */
type Leaving = ReadonlyMap<string, FileBefore>;

/** Works out how a plan is stored, and refuses what can't be. Nothing is written. @throws StoreError */
export async function stageFiles(
  store: DocumentStore,
  planned: readonly PlannedFile[],
  receipt: string,
): Promise<StagedChange | Refusal> {
  const leaving = new Map(planned.flatMap((plan) => (plan.op === 'write' ? [] : [[plan.file.path, plan.file]])));
  const plans: StagedPlan[] = [];
  for (const plan of planned) {
    const refusal = refusalOf(plan, leaving) ?? belowLeaving(plan, leaving);
    if (refusal) return refusal;
    const encoded = plan.op === 'remove' ? undefined : encodePlan(plan);
    if (encoded?.status === 'refused') return encoded;
    plans.push({ plan, bytes: encoded?.bytes });
  }
  const twice = namedTwice(plans);
  if (twice) return twice;
  const steps = orderSteps(plans, receipt);
  const used = firstUses(steps);
  const told = await Promise.all(
    steps.map((step, index) => {
      return completed(store, step, { isUsed: (used.get(step.path) ?? steps.length) < index });
    }),
  );
  return { status: 'staged', steps: told, plans: plans.filter((plan) => !isIdle(plan)) };
}

/** Asks the store of each step whether it could make it. @throws StoreError */
export async function checkSteps(store: DocumentStore, steps: readonly StagedFile[]): Promise<void> {
  for (const { path, before, after, origin } of steps) {
    const kind: ChangeKind = !before ? 'make' : after && !origin ? 'edit' : 'take';
    await store.check?.(path, kind);
  }
}

function refusalOf(plan: PlannedFile, leaving: Leaving): Refusal | undefined {
  const { file } = plan;
  if (plan.op === 'write') return undefined;
  const { found, shown } = file;
  if (!found) return refuse('not_found', `${shown} is not there. See what its folder has.`);
  if (file.isLink)
    return refuse(
      'denied',
      `${file.link ?? shown} is a link to ${shown}. Name the file itself, or remove the link with Bash.`,
    );
  if (found.content.kind === 'buffer')
    return refuse(
      'conflict',
      `${shown}: it is open in an editor. Nothing was changed; see to the editor, then try again.`,
    );
  if (found.mode !== undefined && (found.mode & 0o222) === 0) {
    const mode = found.mode.toString(8).padStart(4, '0');
    return refuse('read_only', `${shown} is a read-only file (mode ${mode}). chmod u+w it first if it is to go.`);
  }
  return plan.op === 'move' && plan.to.found && !leaving.has(plan.to.path)
    ? refuse('exists', `${plan.to.shown} is there already. Move to another name, or delete it first.`)
    : undefined;
}

/** A file goes only when all that comes is there, so no folder can take its name in the same change. */
function belowLeaving(plan: PlannedFile, leaving: Leaving): Refusal | undefined {
  const place = plan.op === 'move' ? plan.to : plan.file;
  if (plan.op === 'remove' || place.found) return undefined;
  let folder = dirname(place.path);
  while (!leaving.has(folder) && folder !== dirname(folder)) folder = dirname(folder);
  const shown = leaving.get(folder)?.shown;
  if (shown === undefined) return undefined;
  return refuse(
    'conflict',
    `${place.shown} needs a folder where ${shown} is a file until the change is done. Take ${shown} away in a call of its own first.`,
  );
}

/** Where one file is changed, and is named by another of its names too, the two would undo each other. */
function namedTwice(plans: readonly StagedPlan[]): Refusal | undefined {
  const names = new Map<string, FileBefore[]>();
  for (const { plan } of plans) {
    const inode = plan.file.found?.inode;
    if (inode !== undefined) names.set(inode, [...(names.get(inode) ?? []), plan.file]);
  }
  for (const { plan, bytes } of plans) {
    const { found, path, shown } = plan.file;
    const other = names.get(found?.inode ?? '')?.find((file) => file.path !== path);
    const isNew = plan.op === 'write' && plan.isNew;
    if (!other || !found || !bytes || isNew || Buffer.compare(found.bytes, bytes) === 0) continue;
    return refuse(
      'conflict',
      `${shown} and ${other.shown} are two names of one file (hard links), and the change names both. ` +
        'Change it by one of them: the other then has the same content.',
    );
  }
  return undefined;
}

/** Of each path whose file comes to stand under another name: the first step that makes it so. */
function firstUses(steps: readonly StagedFile[]): ReadonlyMap<string, number> {
  const used = new Map<string, number>();
  for (const [index, { origin }] of steps.entries()) {
    if (origin?.kind === 'of' && !used.has(origin.path)) used.set(origin.path, index);
  }
  return used;
}

/** With the folders that a new file needs, and what belongs to a file that is lost. */
async function completed(
  store: DocumentStore,
  step: StagedFile,
  { isUsed }: { readonly isUsed: boolean },
): Promise<StagedFile> {
  const { path, before, after, origin } = step;
  if (!before) return { ...step, folders: await missingFolders(store, path) };
  if (after ? !origin : isUsed) return step;
  const attributes = await store.attributes?.(path);
  return attributes === undefined ? step : { ...step, before: { ...before, attributes } };
}

async function missingFolders(store: DocumentStore, path: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (await store.stat(folder)) break;
    missing.unshift(folder);
  }
  return missing;
}
