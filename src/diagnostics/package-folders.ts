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

/** A folder of packages when it was last looked at. */
interface Seen {
  /** Differs when an entry came or went. */
  readonly entries: string | undefined;
  /** By name, of the files that say what is installed. */
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
    else await this.#server.beginAnew();
    // What is installed from here on, the new process may have missed.
    this.#session = this.#server.session;
  }

  async #haveChanged(): Promise<boolean> {
    const { session } = this.#server;
    if (session !== this.#session) this.#seen.clear();
    this.#session = session;
    const changed = await Promise.all(this.#folders().map((folder) => this.#hasChanged(folder)));
    return changed.includes(true);
  }

  /** Absolute. Beside each open document and above it, or where the interpreter has them. */
  #folders(): readonly string[] {
    const { definition, root, sitePackages } = this.#server.resolved;
    if (definition.packages === 'site-packages') return sitePackages;
    const folders = new Set([root]);
    for (const path of this.#server.documents.paths()) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      if (folders.has(folder)) continue;
      for (const above of foldersUp(folder).filter((one) => isWithin(root, one))) folders.add(above);
    }
    return [...folders].map((folder) => `${folder}/node_modules`);
  }

  async #hasChanged(folder: string): Promise<boolean> {
    const before = this.#seen.get(folder);
    const entries = await this.#files.folderStamp(folder);
    const isSame = before !== undefined && before.entries === entries;
    const names = entries === undefined ? [] : isSame ? [...before.installed.keys()] : INSTALLED;
    const stamps = await Promise.all(
      names.map(async (name) => [name, (await this.#files.stamp(`${folder}/${name}`)) ?? ''] as const),
    );
    const installed = new Map(stamps.filter(([, stamp]) => stamp !== ''));
    this.#seen.set(folder, { entries, installed });
    return before !== undefined && !(isSame && sameEntries(before.installed, installed));
  }
}

function sameEntries(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}
