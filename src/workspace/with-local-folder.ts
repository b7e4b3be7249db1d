import { isWithin } from './deny-list.ts';
import type { DocumentStore } from './document-store.ts';

/** What looks at files, and changes none. */
type Reader = Pick<DocumentStore, 'read' | 'stat' | 'readBytes' | 'realPath' | 'list'>;

/** A store of files elsewhere in which one folder of this machine can be read: what is written there, nobody there has. */
export function withLocalFolder(store: DocumentStore, local: Reader, folder: string): DocumentStore {
  const at = (path: string): Reader => (isWithin(folder, path) ? local : store);
  return {
    read: (path, signal) => at(path).read(path, signal),
    stat: (path) => at(path).stat(path),
    readBytes: (path, start, length) => at(path).readBytes(path, start, length),
    realPath: (path) => at(path).realPath(path),
    list: (path) => at(path).list(path),
    write: (path, change, signal) => store.write(path, change, signal),
    remove: (path, base, folders) => store.remove(path, base, folders),
    ...(store.tidy && { tidy: async (inside, made) => store.tidy?.(inside, made) }),
    ...(store.attributes && { attributes: async (path) => store.attributes?.(path) }),
    ...(store.nameOf && { nameOf: async (inode, inside) => store.nameOf?.(inode, inside) }),
    ...(store.check && { check: async (path, kind) => store.check?.(path, kind) }),
    ...(store.unsaved && { unsaved: () => store.unsaved?.() ?? [] }),
  };
}
