import type { Clock } from '../workspace/clock.ts';
import { languageIdOf } from '../workspace/document-snapshot.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { ChangedFile, FileWatch } from '../workspace/language-server/local-file-watch.ts';
import { DeskWait, within } from './desk-wait.ts';
import { FileLedger } from './file-ledger.ts';
import { FolderWatches } from './folder-watches.ts';
import { AHEAD_MS } from './look-ahead.ts';
import type { OtherFiles } from './other-files.ts';
import { SaveChecks } from './save-checks.ts';
import { ServerActivity } from './server-activity.ts';
import { ServerDesk } from './server-desk.ts';

/** What a board has for one server. */
export interface ServerPlace {
  readonly desk: ServerDesk;
  readonly wait: DeskWait;
  readonly activity: ServerActivity;
  /** For a server that has a second stage. */
  readonly saves: SaveChecks | undefined;
}

interface ServerPlacesOptions {
  readonly clock: Clock;
  readonly files: OtherFiles;
  readonly watch: FileWatch;
  /** How an absolute path is shown. */
  readonly nameOf: (path: string) => string;
}

/** A desk for each server that was ever needed; all of them hear of what others change in the servers' folders. */
export class ServerPlaces {
  readonly #places = new Map<LanguageServer, ServerPlace>();
  readonly #watches: FolderWatches;
  readonly #options: ServerPlacesOptions;

  constructor(options: ServerPlacesOptions) {
    this.#options = options;
    this.#watches = new FolderWatches(options.watch, (changes) => this.filesChanged(changes));
  }

  of(server: LanguageServer): ServerPlace {
    const known = this.#places.get(server);
    if (known) return known;
    const { clock, files, nameOf } = this.#options;
    const desk = new ServerDesk(server, new FileLedger(server, nameOf), files);
    const { onSave } = server.resolved.definition;
    const saves = onSave && new SaveChecks({ server, files, nameOf, onSave });
    const place = { desk, wait: new DeskWait(server, clock), activity: new ServerActivity(server), saves };
    this.#places.set(server, place);
    this.#watches.add(server.resolved.root);
    return place;
  }

  all(): ReadonlyMap<LanguageServer, ServerPlace> {
    return this.#places;
  }

  /** Asks the servers that run and keep up; one that can't say it soon is not waited for. */
  async lookAhead(paths: readonly string[], budgetMs: number, signal?: AbortSignal): Promise<void> {
    const languages = new Set(paths.map(languageIdOf));
    const able = [...this.#places].filter(([{ session, resolved }, { wait }]) => {
      const speaks = resolved.definition.languages.some((language) => languages.has(language));
      return session !== undefined && speaks && !wait.isBehind;
    });
    await Promise.all(able.map(([, { desk }]) => within(desk.lookAhead(paths), Math.min(AHEAD_MS, budgetMs), signal)));
  }

  filesChanged(changes: readonly ChangedFile[]): void {
    for (const { desk } of this.#places.values()) desk.filesChanged(changes);
  }

  close(): Promise<void> {
    return this.#watches.close();
  }
}
