import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { ChangedFile } from '../workspace/language-server/local-file-watch.ts';
import { FILE_CHANGE } from '../workspace/language-server/registrations.ts';
import type { OtherFiles } from './other-files.ts';

/** A file that is there may be new or not, so both is said; in this order, because some keep the first only. */
export async function eventsOf(path: string, files: Pick<OtherFiles, 'stamp'>): Promise<readonly ChangedFile[]> {
  const isThere = (await files.stamp(path)) !== undefined;
  const types = isThere ? [FILE_CHANGE.changed, FILE_CHANGE.created] : [FILE_CHANGE.deleted];
  return types.map((type) => ({ path, type }));
}

/** Of a flood, as a checkout makes it, the last ones; servers are slow on long lists. */
const MAX_TOLD = 2000;

/**
 * Changes that did not come through us: by a shell, a formatter, git. What is told of is kept until the next round;
 * documents that the server has open are looked at before every round, because it goes by our text of them.
 */
export class OutsideChanges {
  readonly #server: LanguageServer;
  readonly #files: OtherFiles;
  readonly #stamps = new Map<string, string | undefined>();
  #told: readonly ChangedFile[] = [];

  constructor(server: LanguageServer, files: OtherFiles) {
    this.#server = server;
    this.#files = files;
  }

  tell(changes: readonly ChangedFile[]): void {
    this.#told = [...this.#told, ...changes].slice(-MAX_TOLD);
  }

  /** Passes on to the server what changed, but for files that it will be told of by our own changes. */
  async passOn(own: ReadonlySet<string>): Promise<void> {
    const told = this.#told;
    this.#told = [];
    const open = this.#server.documents.paths().filter((path) => !own.has(path));
    const events = await Promise.all(
      open.map((path) =>
        this.#follow(
          path,
          told.some((change) => change.path === path),
        ),
      ),
    );
    // Made, deleted and made again, a file is told as it is now: some servers end at the first event of a path.
    const unopened = [...new Set(told.map(({ path }) => path))].filter(
      (path) => !own.has(path) && !open.includes(path),
    );
    const present = await Promise.all(unopened.map((path) => eventsOf(path, this.#files)));
    const changes = [...events.flat(), ...present.flat()];
    this.#server.filesChanged(changes);
    if (changes.length > 0) await this.#server.lookAgain();
  }

  /** Makes the server's text of an open document what the file has now. */
  async #follow(path: string, isTold: boolean): Promise<readonly ChangedFile[]> {
    const stamp = await this.#files.stamp(path);
    const isLooked = this.#stamps.has(path) && this.#stamps.get(path) === stamp;
    this.#stamps.set(path, stamp);
    if (isLooked && !isTold) return [];
    const document = this.#server.documents.get(path);
    const text = await this.#files.text(path);
    if (!document || document.getText() === text) return [];
    if (text === undefined) {
      this.#server.close(path);
      return [{ path, type: FILE_CHANGE.deleted }];
    }
    this.#server.sync({ path, languageId: document.languageId, text });
    return [{ path, type: FILE_CHANGE.changed }];
  }
}
