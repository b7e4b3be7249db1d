import type { Clock } from '../workspace/clock.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { ChangedFile, FileWatch } from '../workspace/language-server/local-file-watch.ts';
import type { OtherFiles } from './dependant-checks.ts';
import { DeskWait } from './desk-wait.ts';
import { FileLedger } from './file-ledger.ts';
import { FolderWatches } from './folder-watches.ts';
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

export interface ServerPlacesOptions {
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

  filesChanged(changes: readonly ChangedFile[]): void {
    for (const { desk } of this.#places.values()) desk.filesChanged(changes);
  }

  close(): Promise<void> {
    return this.#watches.close();
  }
}
