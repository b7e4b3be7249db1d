import { StoreError, type StoreErrorCode } from '../document-store.ts';
import { STORE_EXIT } from './store-scripts.ts';

const MEANINGS: Readonly<Record<number, readonly [StoreErrorCode, string]>> = {
  [STORE_EXIT.notFound]: ['not_found', ': there is no such file or folder'],
  [STORE_EXIT.isDirectory]: ['is_directory', ' is a folder. Name a file in it'],
  [STORE_EXIT.noFile]: ['denied', ' is a device, a pipe or a socket, not a file'],
  [STORE_EXIT.denied]: ['denied', ': no permission. Whoever owns it must grant it'],
  [STORE_EXIT.readOnly]: ['read_only', ' is a read-only file (mode {mode}). chmod u+w it first if it is to change'],
  [STORE_EXIT.noFolder]: [
    'not_found',
    ': a part of the path is a file, not a folder. Name another place, or move that file away first',
  ],
  [STORE_EXIT.mounted]: [
    'denied',
    ' is a mount point, as containers bind single files: it can be edited, but not moved or removed. Unmount it first',
  ],
};

/** What a script of a store ended with, as an error about the path that was asked for. */
export function storeErrorOfExit(
  path: string,
  end: {
    readonly code: number | undefined;
    readonly reason?: string;
    readonly stderr?: string;
    readonly said?: string;
  },
): StoreError {
  const known = end.code === undefined ? undefined : MEANINGS[end.code];
  const mode = /^mode (\d+)$/m.exec(end.said ?? '')?.[1] ?? '';
  if (known) return new StoreError(known[0], `${path}${known[1].replace('{mode}', mode)}`);
  const said = end.reason ?? end.stderr?.trim().split('\n').at(-1);
  return new StoreError('io', `${path}: it could not be done there${said ? ` (${said.slice(0, 300)})` : ''}`);
}
