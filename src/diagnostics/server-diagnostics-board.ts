import type { Clock } from '../workspace/clock.ts';
import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { LanguageServers, Serving } from '../workspace/language-server/language-servers.ts';
import type { ChangedFile, FileWatch } from '../workspace/language-server/local-file-watch.ts';
import { FILE_CHANGE } from '../workspace/language-server/registrations.ts';
import { buildReport, isAtLeast, missingAnswers, stateOf } from './build-report.ts';
import type { OtherFiles } from './dependant-checks.ts';
import type { DependantPass } from './dependant-pass.ts';
import { DeskWait, within } from './desk-wait.ts';
import type { DiagnosticsBoard, FileState, Reflow, WrittenChange } from './diagnostics-board.ts';
import { DueAnswers } from './due-answers.ts';
import { changeTypeOf, pathOfChange } from './file-change.ts';
import { FileLedger, type FileNews } from './file-ledger.ts';
import { FolderWatches } from './folder-watches.ts';
import { ReflowQueue } from './reflow-queue.ts';
import type { DiagnosticsReport, ServerAnswer, Severity } from './report.ts';
import { type DeskAnswer, newsFor, ServerDesk } from './server-desk.ts';

interface Place {
  readonly desk: ServerDesk;
  readonly wait: DeskWait;
}

/** Others' code: what is wrong in it is not worth a word. */
const FOREIGN = /(?:^|\/)(?:node_modules|site-packages|dist-packages|\.git|__pycache__)\//;
const NOBODY: Serving = { servers: [], missing: [] };

/** The board of a root whose servers run here: a desk for each, and what is told to whom. */
export class ServerDiagnosticsBoard implements DiagnosticsBoard {
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #severity: Severity;
  readonly #open: () => Promise<LanguageServers>;
  readonly #files: OtherFiles;
  readonly #watches: FolderWatches;
  #servers: Promise<LanguageServers> | undefined;
  readonly #places = new Map<LanguageServer, Place>();
  readonly #reflow = new ReflowQueue();
  readonly #due: DueAnswers;
  readonly #changed = new Map<string, Set<string>>();
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: {
    readonly root: string;
    readonly clock: Clock;
    readonly severity: Severity;
    readonly open: () => Promise<LanguageServers>;
    readonly files: OtherFiles;
    readonly watch: FileWatch;
  }) {
    this.#prefix = options.root.endsWith('/') ? options.root : `${options.root}/`;
    this.#clock = options.clock;
    this.#severity = options.severity;
    this.#open = options.open;
    this.#files = options.files;
    this.#due = new DueAnswers(options.clock);
    this.#watches = new FolderWatches(options.watch, (changes) => {
      for (const { desk } of this.#places.values()) desk.filesChanged(changes);
    });
  }

  warmUp(document: DocumentSnapshot): void {
    void this.#serving(document).then(({ servers }) => {
      for (const server of servers) this.#placeOf(server).desk.warmUp(document);
    });
  }

  async check(changes: readonly WrittenChange[], budgetMs: number, signal?: AbortSignal): Promise<DiagnosticsReport> {
    const started = this.#clock.now();
    const session = changes[0]?.session ?? '';
    this.#noteChanged(changes);
    const { asked, missing } = await this.#inOrder(() => this.#ask(changes));

    const news: FileNews[] = [];
    let unchecked = 0;
    let ownMs = 0;
    const waits = asked.map(async ({ place, own, answer }): Promise<ServerAnswer> => {
      const leftMs = (): number => budgetMs - (this.#clock.now() - started);
      const inTime = await place.wait.wait(answer, leftMs(), signal);
      ownMs = this.#clock.now() - started;
      if (!inTime) this.#follow(place, own, answer);
      if (inTime?.status === 'answered') {
        news.push(...newsFor(own, inTime));
        const { pass } = inTime;
        if (pass) await within(pass.done, leftMs(), signal);
        const others = pass?.news ?? [];
        news.push(...others);
        unchecked += pass?.unchecked ?? 0;
        if (pass && !pass.isOver) this.#followOthers(place, pass, others);
      }
      return place.wait.describe(inTime);
    });
    const servers = await Promise.all(waits);
    this.#reflow.tell(session, news);
    const timing = { ms: this.#clock.now() - started, ownMs };
    return buildReport({ session, news, servers, missing, severity: this.#severity, unchecked, ...timing });
  }

  async inspect(document: DocumentSnapshot, budgetMs: number, signal?: AbortSignal): Promise<FileState> {
    const serving = await this.#serving(document);
    const found = await Promise.all(
      serving.servers.map(async (server) => {
        const { desk, wait } = this.#placeOf(server);
        const answer = await wait.wait(desk.inspect(document), budgetMs, signal);
        const tracked = answer?.status === 'answered' ? (answer.news.get(document.path)?.tracked ?? []) : [];
        return { server: wait.describe(answer), all: tracked.map(({ diagnostic }) => diagnostic) };
      }),
    );
    const asked = found.map(({ server }) => server);
    const all = found.flatMap((one) => one.all);
    const diagnostics = all.filter((item) => isAtLeast(item, this.#severity));
    return {
      path: this.#nameOf(document.path),
      state: stateOf(asked),
      diagnostics,
      all,
      servers: [...asked, ...missingAnswers(serving)],
    };
  }

  changedFiles(session: string | undefined): readonly string[] {
    if (session !== undefined) return [...(this.#changed.get(session) ?? [])];
    return [...new Set([...this.#changed.values()].flatMap((paths) => [...paths]))];
  }

  takeReflow(session: string): readonly Reflow[] {
    return this.#reflow.take(session, this.#severity);
  }

  settle(session: string, ms: number): Promise<void> {
    return this.#due.settle(session, ms);
  }

  async filesChanged(paths: readonly string[]): Promise<void> {
    const changes = await Promise.all(paths.map((path) => this.#changeOf(path)));
    for (const { desk } of this.#places.values()) desk.filesChanged(changes.flat());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#watches.close();
    await (await this.#servers)?.stop();
  }

  async #serving(document: DocumentSnapshot): Promise<Serving> {
    if (this.#isClosed || FOREIGN.test(this.#nameOf(document.path))) return NOBODY;
    this.#servers ??= this.#open();
    const servers = await this.#servers;
    return servers.serving({ path: document.path, languageId: document.textDocument.languageId });
  }

  #placeOf(server: LanguageServer): Place {
    const known = this.#places.get(server);
    if (known) return known;
    const ledger = new FileLedger(server, (path) => this.#nameOf(path));
    const place = { desk: new ServerDesk(server, ledger, this.#files), wait: new DeskWait(server, this.#clock) };
    this.#places.set(server, place);
    this.#watches.add(server.resolved.root);
    return place;
  }

  /** Changes reach the desks in the order in which they were written, however long it takes to find who serves them. */
  #inOrder<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => {});
    return done;
  }

  async #ask(changes: readonly WrittenChange[]): Promise<{
    readonly asked: readonly {
      readonly place: Place;
      readonly own: WrittenChange[];
      readonly answer: Promise<DeskAnswer>;
    }[];
    readonly missing: readonly ServerAnswer[];
  }> {
    const byPlace = new Map<Place, WrittenChange[]>();
    const missing = new Map<string, ServerAnswer>();
    for (const change of changes) {
      const document = change.after ?? change.before;
      const serving = document ? await this.#serving(document) : NOBODY;
      for (const server of serving.servers) {
        const place = this.#placeOf(server);
        byPlace.set(place, [...(byPlace.get(place) ?? []), change]);
      }
      for (const answer of missingAnswers(serving)) missing.set(answer.name, answer);
    }
    this.#tellOthers(changes, byPlace);
    const asked = [...byPlace].map(([place, own]) => ({ place, own, answer: place.desk.change(own) }));
    return { asked, missing: [...missing.values()] };
  }

  /** A file that is there may be new or not, so both is said; in this order, because some keep the first only. */
  async #changeOf(path: string): Promise<readonly ChangedFile[]> {
    const isThere = (await this.#files.stamp(path)) !== undefined;
    const types = isThere ? [FILE_CHANGE.changed, FILE_CHANGE.created] : [FILE_CHANGE.deleted];
    return types.map((type) => ({ path, type }));
  }

  /** Servers of other languages may watch the file too. */
  #tellOthers(changes: readonly WrittenChange[], own: ReadonlyMap<Place, unknown>): void {
    const files = changes.map((change) => ({
      path: pathOfChange(change),
      type: changeTypeOf(change.before, change.after),
    }));
    for (const [server, place] of this.#places) if (!own.has(place)) server.filesChanged(files);
  }

  #follow(place: Place, changes: readonly WrittenChange[], answer: Promise<DeskAnswer>): void {
    for (const receipt of new Set(changes.map((change) => change.receipt))) {
      const own = changes.filter((change) => change.receipt === receipt);
      const session = own[0]?.session ?? '';
      const late = answer.then((value) => {
        const news = value.status === 'answered' ? newsFor(own, value) : [];
        this.#reflow.add({ session, receipt, desk: place.desk, news, server: place.wait.describe(value) });
        const pass = value.status === 'answered' ? value.pass : undefined;
        if (pass && pass.origin.receipt === receipt) this.#followOthers(place, pass, []);
      });
      this.#due.add(session, late);
    }
  }

  /** What comes of other files after the answer, told with a later result where there is something to tell. */
  #followOthers(place: Place, pass: DependantPass, told: readonly FileNews[]): void {
    const { session, receipt } = pass.origin;
    const late = pass.done.then(() => {
      const hasNews = ({ introduced, fixed }: FileNews): boolean => introduced.length > 0 || fixed.length > 0;
      const news = pass.news.filter((item) => !told.includes(item) && hasNews(item));
      if (news.length === 0) return;
      const server = place.wait.describe({ status: 'answered', news: new Map(), pass });
      this.#reflow.add({ session, receipt, desk: place.desk, news, server });
    });
    this.#due.add(session, late);
  }

  #noteChanged(changes: readonly WrittenChange[]): void {
    for (const change of changes) {
      const paths = this.#changed.get(change.session) ?? new Set();
      this.#changed.set(change.session, paths.add(pathOfChange(change)));
    }
  }

  #nameOf(path: string): string {
    return path.startsWith(this.#prefix) ? path.slice(this.#prefix.length) : path;
  }
}
