import type { ChangedFile, ChangeRecord } from './change-record.ts';

/** What all steps of a change came to at one path. */
export interface NetFile extends Pick<ChangedFile, 'path' | 'before' | 'after'> {
  /** Folders that were made for what came there, outermost first. */
  readonly folders: readonly string[];
  /** The path at which the file that is there stood before, perhaps this one; `undefined`: it is new, or there is none. */
  readonly from: string | undefined;
}

/** The paths that a change touched, without those at which a file only waited for its name. */
export function netFiles({ files }: ChangeRecord): readonly NetFile[] {
  const net = new Map<string, NetFile>();
  const at = (path: string): Pick<NetFile, 'from'> => net.get(path) ?? { from: path };
  for (const { path, before, after, folders, movedFrom, isNew } of files) {
    const known = net.get(path);
    const isSame = before !== null && !isNew;
    const from = !after ? undefined : movedFrom !== undefined ? at(movedFrom).from : isSame ? at(path).from : undefined;
    net.set(path, {
      path,
      before: known ? known.before : before,
      after,
      folders: after && !before ? folders : (known?.folders ?? []),
      from,
    });
  }
  return [...net.values()].filter(({ before, after }) => before !== null || after !== null);
}
