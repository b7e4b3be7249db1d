import { isWithin } from '../workspace/deny-list.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { foldersUp } from '../workspace/language-server/server-machine.ts';
import type { ServerSession } from '../workspace/language-server/server-session.ts';
import type { OtherFiles } from './other-files.ts';

/**
 * What npm, pnpm and both kinds of yarn write when they have installed, replaced packages of the same name included; and
 * what Prisma makes of a schema, which lies among the packages.
 */
const INSTALLED = [
  '.package-lock.json',
  '.modules.yaml',
  '.yarn-integrity',
  '.yarn-state.yml',
  '.prisma/client/index.d.ts',
];

/** More packages of one workspace are looked at only where a document of theirs is open. */
const MAX_PACKAGES = 200;

/** A folder of packages when it was last looked at. */
interface Seen {
  /** Differs when an entry came or went. */
  readonly entries: string | undefined;
  /** By name, of the files that say what is installed, and of the folders that hold the packages of one scope. */
  readonly installed: ReadonlyMap<string, string>;
}

/**
 * The folders in which a server finds the code of others. They are too large to be watched, and no event makes a server
 * read all of it again: so they are looked at before each round, and where packages came, went or were replaced, the
 * server begins anew.
 */
export class PackageFolders {
  readonly #server: LanguageServer;
  readonly #files: OtherFiles;
  #session: ServerSession | undefined;
  /** The packages of the workspace, whose files the server reads before any is open. */
  #packages: readonly string[] = [];
  /** By absolute path, as they were when this process began, or when it was first known that it reads them. */
  readonly #seen = new Map<string, Seen>();

  constructor(server: LanguageServer, files: OtherFiles) {
    this.#server = server;
    this.#files = files;
  }

  /** Makes a running server know the packages that are installed now. @throws ServerFailure */
  async follow(): Promise<void> {
    const { definition } = this.#server.resolved;
    if (definition.packages === undefined || !(await this.#haveChanged())) return;
    if (definition.lookAgain) await this.#server.lookAgain();
    else {
      await this.#server.rest();
      await this.#server.ready();
    }
    // What is installed from here on, the new process may have missed.
    this.#session = this.#server.session;
  }

  async #haveChanged(): Promise<boolean> {
    const { session } = this.#server;
    if (session !== this.#session) await this.#begin();
    this.#session = session;
    const changed = await Promise.all(this.#folders().map((folder) => this.#hasChanged(folder)));
    return changed.includes(true);
  }

  async #begin(): Promise<void> {
    const { definition, root } = this.#server.resolved;
    this.#seen.clear();
    if (definition.packages === 'site-packages') return;
    this.#packages = (await this.#files.packages(root)).slice(0, MAX_PACKAGES);
  }

  /** Absolute. In each package, beside each open document and above it; or where the interpreter has them. */
  #folders(): readonly string[] {
    const { definition, root, sitePackages } = this.#server.resolved;
    if (definition.packages === 'site-packages') return sitePackages;
    const folders = new Set([...foldersUp(root).filter((folder) => folder !== '/'), ...this.#packages]);
    for (const path of this.#server.documents.paths()) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      if (folders.has(folder)) continue;
      for (const above of foldersUp(folder).filter((one) => isWithin(root, one))) folders.add(above);
    }
    return [...folders].map((folder) => `${folder}/node_modules`);
  }

  async #toLookAt(folder: string): Promise<readonly string[]> {
    return [...INSTALLED, ...(await this.#files.names(folder)).filter(isScope)];
  }

  async #hasChanged(folder: string): Promise<boolean> {
    const before = this.#seen.get(folder);
    const entries = await this.#files.folderStamp(folder);
    const isSame = before !== undefined && before.entries === entries;
    const names = entries === undefined ? [] : isSame ? [...before.installed.keys()] : await this.#toLookAt(folder);
    const stamps = await Promise.all(
      names.map(async (name) => {
        const path = `${folder}/${name}`;
        const stamp = isScope(name) ? this.#files.folderStamp(path) : this.#files.stamp(path);
        return [name, (await stamp) ?? ''] as const;
      }),
    );
    const installed = new Map(stamps.filter(([, stamp]) => stamp !== ''));
    this.#seen.set(folder, { entries, installed });
    return before !== undefined && !(isSame && sameEntries(before.installed, installed));
  }
}

/** A package of a scope that exists comes and goes without its folder of packages being another. */
function isScope(name: string): boolean {
  return name.startsWith('@');
}

function sameEntries(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}
