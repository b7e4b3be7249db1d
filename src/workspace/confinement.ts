import { dirname, relative, sep } from 'node:path';
import { createDenyList, isWithin } from './deny-list.ts';
import { type DocumentStore, type StoredStat, StoreError } from './document-store.ts';
import { readPath } from './path-spelling.ts';

/** Which paths callers may name. It is asked for every path, by every tool that takes one. */
export interface Confinement {
  /** Absolute, links resolved; relative paths start from the first. */
  readonly roots: readonly [string, ...string[]];
  /**
   * What a path leads to, links resolved. Inside the roots (or what `allow` adds) and not on the deny list: `inside`,
   * whether or not anything is there; folders too. Anything else is refused at once, without being opened.
   */
  resolve(path: string): Promise<ResolvedPath | PathRefusal>;
  /** Whether a real path lies where callers may go; asked again when a change is written. */
  allows(realPath: string): boolean;
  /** Whether the deny list names a real path or a folder above it. */
  isDenied(realPath: string): boolean;
  /** The deny list as globs, each with `!`, for a search that starts in a real folder. */
  deniedGlobs(folder: string): readonly string[];
  /** Whether commands may run: no one can say what a command reads, so a deny list rules them out. */
  readonly allowsCommands: boolean;
}

/** A path that a call may touch. */
export interface ResolvedPath {
  readonly status: 'inside';
  /** Absolute, links resolved. */
  readonly path: string;
  /** Relative to the first root with `/` between its parts, `.` for the root itself; absolute where it lies elsewhere. */
  readonly shown: string;
  /** What stands there. */
  readonly stat: StoredStat | undefined;
}

interface PathRefusal {
  readonly status: 'refused';
  readonly code: 'denied' | 'not_found' | 'invalid_arguments' | 'io';
  readonly message: string;
}

/** Where the boundary of a caller runs. */
export interface ConfinementOptions {
  /** Absolute, links resolved. Relative paths start from the first. */
  readonly roots: readonly [string, ...string[]];
  /** Further files or folders; absolute, links resolved. */
  readonly allow?: readonly string[];
  /** The machine itself is the boundary. `/proc`, `/sys`, `/dev` still have to be allowed by name. */
  readonly unconfined?: boolean;
  /** Globs on paths relative to a root, or absolute; one without `/` names files and folders anywhere. */
  readonly deny?: readonly string[];
  /** Commands were asked for though there is a deny list. */
  readonly commands?: 'asked_for';
  readonly store: Pick<DocumentStore, 'realPath' | 'stat' | 'statNow'>;
  /** What `~/` stands for. */
  readonly home?: string;
}

/** Files there are windows on the kernel, not documents. */
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev'];

/** The boundary of one broker. */
export function createConfinement(options: ConfinementOptions): Confinement {
  const { roots, allow = [], deny = [], store, home } = options;
  const [root] = roots;
  const open = [...roots, ...allow];
  const denied = createDenyList(deny, roots);
  const { denies } = denied;

  const allows = (realPath: string): boolean => {
    const kernel = KERNEL_FOLDERS.find((folder) => isWithin(folder, realPath));
    if (kernel !== undefined) return open.some((place) => isWithin(kernel, place) && isWithin(place, realPath));
    return options.unconfined === true || open.some((place) => isWithin(place, realPath));
  };

  const refusalOf = (spelled: string, path: string, real: string): PathRefusal | undefined => {
    if (denies(path) || denies(real)) return refused('denied', `${spelled} is on the deny list. Leave it alone`);
    if (allows(real)) return undefined;
    const leads = real === spelled ? '' : ` leads to ${real}, which`;
    const where = roots.length === 1 ? `the root ${root}` : `the roots ${roots.join(', ')}`;
    const lift = KERNEL_FOLDERS.some((folder) => isWithin(folder, real))
      ? `--allow ${real}`
      : `--allow ${dirname(real) === '/' ? real : dirname(real)}, or --unconfined`;
    return refused('denied', `${spelled}${leads} is outside ${where}. Whoever starts emend can open it: ${lift}`);
  };

  return {
    roots,
    async resolve(spelled) {
      const read = readPath(spelled, { root, home });
      if (read.status === 'wrong') return refused('invalid_arguments', read.message);
      try {
        const real = await store.realPath(read.path);
        const no = refusalOf(spelled, read.path, real);
        if (no) return no;
        const stat = store.statNow ? store.statNow(real) : await store.stat(real);
        if (stat?.kind === 'other') {
          return refused('denied', `${spelled} is a device, a pipe or a socket, not a file. Name a regular file`);
        }
        return { status: 'inside', path: real, shown: shownFrom(root, real), stat };
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return refused(error.code === 'denied' || error.code === 'not_found' ? error.code : 'io', error.message);
      }
    },
    allows: (realPath) => allows(realPath) && !denies(realPath),
    isDenied: denies,
    deniedGlobs: denied.globsIn,
    allowsCommands: denied.isEmpty || options.commands === 'asked_for',
  };
}

function shownFrom(root: string, path: string): string {
  if (path === root) return '.';
  return isWithin(root, path) ? relative(root, path).split(sep).join('/') : path;
}

function refused(code: PathRefusal['code'], message: string): PathRefusal {
  return { status: 'refused', code, message };
}
