import { linkSync, lstatSync, renameSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { makeWithAttributes } from './disk-attributes.ts';
import { type Place, putInPlace, putNew } from './disk-commit.ts';
import { errnoOf } from './disk-errors.ts';
import { attributesOf } from './disk-file-traits.ts';
import { holds } from './disk-last-look.ts';
import { mountPoint } from './disk-mounts.ts';
import { type Staged, stageBeside, stageOver } from './disk-staging.ts';
import { tempName } from './disk-temp-files.ts';
import { LINK_LOST, type StoredChange, StoreError, type StoreOutcome } from './document-store.ts';

/** What a name is to stand for from now on. */
interface OtherFile {
  /** What the name stands for now; `undefined`: nothing. */
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
  /** Of a new file. */
  readonly traits: NewTraits;
  /** The file that it is to be, whose old name `goes` then or stays; `undefined`: a new one. */
  readonly source: (Place & { readonly goes: boolean }) | undefined;
}

type NewTraits = Pick<StoredChange, 'mode' | 'owner' | 'attributes'>;

/** The file system, or the owner of the file, wants no second name for it; renaming may still be allowed. */
const LINK_REFUSED = ['EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Has a name stand for another file: for its source, or for a new one. Other names of the file that was there keep it.
 * `changed`: the name no longer has the content `before`, or the source not the one that is wanted.
 * @throws StoreError; then the name stands for what it did
 */
export async function putOtherFile(place: Place, wanted: OtherFile): Promise<StoreOutcome> {
  const { before, after, source } = wanted;
  const linked = source && (await linkBeside(place, source, after));
  if (linked === 'changed') return { status: 'changed' };
  if (source?.goes && linked === 'refused') return renameOver(place, source, wanted);
  const isLinked = typeof linked === 'object';
  const staged = isLinked ? linked : await stageNew(place, after, source ? await traitsOf(source) : wanted.traits);
  const lost = lostOf(staged, linked === 'apart' && source ? source : undefined);
  const file = place.folder.at(place.name);
  if (!before) return { status: await putNew(staged, file), ...lost };
  try {
    const status = await putInPlace(place, staged, { before, after });
    if (status === 'written') return { status, ...lost };
    if (status === 'changed') return { status };
    throw status === 'EBUSY' ? mountPoint(place.path) : Object.assign(new Error(status), { code: status });
  } finally {
    // Where both were names of one file the rename did nothing.
    await unlinkIfThere(staged.file);
  }
}

/** `parted`: the file that the new one is a copy of. */
function lostOf(staged: StagedFile, parted: OtherFile['source']): { readonly lost?: string } {
  const stat = parted && lstatSync(parted.folder.at(parted.name), { throwIfNoEntry: false });
  const isParted = parted && (!parted.goes || (stat?.nlink ?? 1) > 1);
  const lost = [staged.lost, ...(isParted ? [LINK_LOST] : [])].filter((each) => each !== undefined);
  return lost.length > 0 ? { lost: lost.join('; ') } : {};
}

interface StagedFile extends Staged {
  readonly lost?: string;
}

/** A second name for the source; `apart` where it lies on another file system. */
async function linkBeside(
  place: Place,
  source: Place,
  bytes: Uint8Array,
): Promise<StagedFile | 'refused' | 'apart' | 'changed'> {
  const from = source.folder.at(source.name);
  if (!(await holds(from, bytes))) return 'changed';
  const file = place.folder.at(tempName());
  try {
    linkSync(from, file);
  } catch (error) {
    const errno = errnoOf(error) ?? '';
    if (LINK_REFUSED.includes(errno)) return 'refused';
    if (errno === 'EXDEV') return 'apart';
    if (errno === 'ENOENT') return 'changed';
    throw error;
  }
  const stat = lstatSync(file, { bigint: true });
  if (stat.isFile() && (await holds(file, bytes))) return { file, inode: stat.ino, isPlain: false };
  // Someone put another file there just now.
  await unlink(file);
  return 'changed';
}

async function renameOver(place: Place, source: Place, { before, after }: OtherFile): Promise<StoreOutcome> {
  const [from, file] = [source.folder.at(source.name), place.folder.at(place.name)];
  const isFree = lstatSync(file, { throwIfNoEntry: false }) === undefined;
  if (before ? !(await holds(file, before)) : !isFree) return { status: 'changed' };
  if (!(await holds(from, after))) return { status: 'changed' };
  try {
    renameSync(from, file);
  } catch (error) {
    throw errnoOf(error) === 'EBUSY' ? mountPoint(place.path) : error;
  }
  return { status: 'written', isMoved: true };
}

async function traitsOf({ path, folder, name }: Place): Promise<NewTraits> {
  const stat = lstatSync(folder.at(name), { bigint: true });
  const attributes = await attributesOf(path, stat);
  return {
    mode: Number(stat.mode) & 0o7777,
    owner: { uid: Number(stat.uid), gid: Number(stat.gid) },
    ...(attributes !== undefined && { attributes }),
  };
}

async function stageNew(place: Place, bytes: Uint8Array, { mode, owner, attributes }: NewTraits): Promise<StagedFile> {
  const traits = { kind: 'new', mode, owner } as const;
  const name = tempName();
  const file = place.folder.at(name);
  const given = attributes === undefined ? 'all' : await makeWithAttributes(place.folder, name, attributes);
  try {
    const isThere = attributes !== undefined && given !== 'none';
    const staged = isThere ? await stageOver(file, bytes, traits) : await stageBeside(place.folder, bytes, traits);
    if (!staged) throw new StoreError('io', `${place.path} could not be made`);
    const lost = [
      ...(staged.isOthers && owner ? [ownerLost(owner, mode ?? 0)] : []),
      ...(given === 'all' ? [] : ['its access list or extended attributes could not all be kept']),
    ];
    return { ...staged, ...(lost.length > 0 && { lost: lost.join('; ') }) };
  } catch (error) {
    await unlinkIfThere(file);
    throw error;
  }
}

function ownerLost({ uid, gid }: NonNullable<NewTraits['owner']>, mode: number): string {
  const bits = (mode & 0o6000) !== 0 ? ', so its set-user-id and set-group-id bits were dropped' : '';
  return `its owner (${uid}:${gid}) could not be kept${bits}`;
}

async function unlinkIfThere(file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error;
  });
}
