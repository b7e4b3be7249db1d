import type { Clock } from '../workspace/clock.ts';
import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { LanguageServers, Serving } from '../workspace/language-server/language-servers.ts';
import type { FileWatch } from '../workspace/language-server/local-file-watch.ts';
import { askQuestion } from './ask-question.ts';
import { buildReport, isAtLeast, missingAnswers, stateOf } from './build-report.ts';
import { ChangedBySession } from './changed-by-session.ts';
import type { DependantPass } from './dependant-pass.ts';
import { type DeskAnswer, newsFor } from './desk-answer.ts';
import { within } from './desk-wait.ts';
import type { DiagnosticsBoard, FileState, Reflow, WrittenChange } from './diagnostics-board.ts';
import { DueAnswers } from './due-answers.ts';
import { changeTypeOf, pathOfChange } from './file-change.ts';
import type { FileNews } from './file-ledger.ts';
import type { OtherFiles } from './other-files.ts';
import { eventsOf } from './outside-changes.ts';
import type { Question, Reply } from './question.ts';
import { ReflowQueue } from './reflow-queue.ts';
import type { DiagnosticsReport, ServerAnswer, Severity } from './report.ts';
import { savedNews } from './save-checks.ts';
import { type ServerPlace, ServerPlaces } from './server-places.ts';

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
  #servers: Promise<LanguageServers> | undefined;
  readonly #places: ServerPlaces;
  readonly #reflow = new ReflowQueue();
  readonly #due: DueAnswers;
  readonly #changed = new ChangedBySession();
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
    const nameOf = (path: string): string => this.#nameOf(path);
    this.#places = new ServerPlaces({ clock: options.clock, files: options.files, watch: options.watch, nameOf });
  }

  warmUp(document: DocumentSnapshot): void {
    const warm = ({ servers }: Serving) => servers.map((server) => this.#places.of(server).desk.warmUp(document));
    // Definitions that can't be read: who asks is told.
    void this.#serving(document).then(warm, () => undefined);
  }

  lookAhead: DiagnosticsBoard['lookAhead'] = (...asked) => this.#places.lookAhead(...asked);

  async check(changes: readonly WrittenChange[], budgetMs: number, signal?: AbortSignal): Promise<DiagnosticsReport> {
    const started = this.#clock.now();
    const session = changes[0]?.session ?? '';
    this.#changed.note(changes);
    const { asked, missing } = await this.#inOrder(() => this.#ask(changes));

    const news: FileNews[] = [];
    let unchecked = 0;
    let isSeeking = false;
    let ownMs = 0;
    const waitingSince = this.#clock.now();
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
        isSeeking ||= pass?.isSeeking ?? false;
        if (pass && !pass.isOver) this.#followOthers(place, pass, others);
        this.#followSaved(place, own);
      }
      return { ...place.wait.describe(inTime), waitedMs: Math.round(this.#clock.now() - waitingSince) };
    });
    const servers = await Promise.all(waits);
    this.#reflow.tell(session, news);
    const timing = { ms: this.#clock.now() - started, ownMs };
    return buildReport({ session, news, servers, missing, severity: this.#severity, unchecked, isSeeking, ...timing });
  }

  async inspect(document: DocumentSnapshot, budgetMs: number, signal?: AbortSignal): Promise<FileState> {
    const serving = await this.#serving(document);
    const found = await Promise.all(
      serving.servers.map(async (server) => {
        const { desk, saves, wait } = this.#places.of(server);
        const answer = await wait.wait(desk.inspect(document), budgetMs, signal);
        const tracked = answer?.status === 'answered' ? (answer.news.get(document.path)?.tracked ?? []) : [];
        const saved = saves?.ledger.known(document.path)?.tracked ?? [];
        return { server: wait.describe(answer), all: [...tracked, ...saved].map(({ diagnostic }) => diagnostic) };
      }),
    );
    const asked = found.map(({ server }) => server);
    const all = found.flatMap((one) => one.all);
    return {
      path: this.#nameOf(document.path),
      state: stateOf(asked),
      diagnostics: all.filter((item) => isAtLeast(item, this.#severity)),
      all,
      servers: [...asked, ...missingAnswers(serving)],
    };
  }

  changedFiles(session: string | undefined, since?: string): readonly string[] {
    return this.#changed.files(session, since);
  }

  async ask<T>(question: Question<T>, signal?: AbortSignal): Promise<Reply<T>> {
    const { servers, missing } = await this.#serversOf(question.file);
    if (servers.length === 0) return { status: 'none', reasons: missing.map(({ reason }) => reason) };
    const places = servers.map((server) => this.#places.of(server));
    return await askQuestion(places, question, { clock: this.#clock, signal });
  }

  async runningServers(): Promise<readonly LanguageServer[]> {
    const servers = (await this.#servers?.catch(() => undefined))?.all() ?? [];
    return servers.filter(({ session }) => session !== undefined);
  }

  takeReflow(session: string): readonly Reflow[] {
    return this.#reflow.take(session, this.#severity);
  }

  settle(session: string, ms: number): Promise<void> {
    return this.#due.settle(session, ms);
  }

  async filesChanged(paths: readonly string[]): Promise<void> {
    const changes = await Promise.all(paths.map((path) => eventsOf(path, this.#files)));
    this.#places.filesChanged(changes.flat());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#places.close();
    // Definitions that can't be read: who asked was told.
    await (await this.#servers?.catch(() => undefined))?.stop();
  }

  async #serving(document: DocumentSnapshot): Promise<Serving> {
    if (FOREIGN.test(this.#nameOf(document.path))) return NOBODY;
    return this.#serversOf({ path: document.path, languageId: document.textDocument.languageId });
  }

  async #serversOf(file: Question<unknown>['file']): Promise<Serving> {
    if (this.#isClosed) return NOBODY;
    this.#servers ??= this.#open();
    return (await this.#servers).serving(file);
  }

  /** Changes reach the desks in the order in which they were written, however long it takes to find who serves them. */
  #inOrder<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => {});
    return done;
  }

  async #ask(changes: readonly WrittenChange[]): Promise<{
    readonly asked: readonly {
      readonly place: ServerPlace;
      readonly own: WrittenChange[];
      readonly answer: Promise<DeskAnswer>;
    }[];
    readonly missing: readonly ServerAnswer[];
  }> {
    const byPlace = new Map<ServerPlace, WrittenChange[]>();
    const missing = new Map<string, ServerAnswer>();
    for (const change of changes) {
      const document = change.after ?? change.before;
      const serving = document ? await this.#serving(document) : NOBODY;
      for (const server of serving.servers) {
        const place = this.#places.of(server);
        byPlace.set(place, [...(byPlace.get(place) ?? []), change]);
      }
      for (const answer of missingAnswers(serving)) missing.set(answer.name, answer);
    }
    this.#tellOthers(changes, byPlace);
    const asked = [...byPlace].map(([place, own]) => ({ place, own, answer: place.desk.change(own) }));
    return { asked, missing: [...missing.values()] };
  }

  /** Servers of other languages may watch the file too. */
  #tellOthers(changes: readonly WrittenChange[], own: ReadonlyMap<ServerPlace, unknown>): void {
    const files = changes.map((change) => ({
      path: pathOfChange(change),
      type: changeTypeOf(change.before, change.after),
    }));
    for (const [server, place] of this.#places.all()) if (!own.has(place)) server.filesChanged(files);
  }

  #follow(place: ServerPlace, changes: readonly WrittenChange[], answer: Promise<DeskAnswer>): void {
    for (const receipt of new Set(changes.map((change) => change.receipt))) {
      const own = changes.filter((change) => change.receipt === receipt);
      const session = own[0]?.session ?? '';
      const late = answer.then((value) => {
        const news = value.status === 'answered' ? newsFor(own, value) : [];
        this.#reflow.add({ session, receipt, desk: place.desk, news, server: place.wait.describe(value) });
        const pass = value.status === 'answered' ? value.pass : undefined;
        if (pass && pass.origin.receipt === receipt) this.#followOthers(place, pass, []);
        if (value.status === 'answered') this.#followSaved(place, own);
      });
      this.#due.add(session, late);
    }
  }

  /** What comes of other files after the answer, told with a later result where there is something to tell. */
  #followOthers(place: ServerPlace, pass: DependantPass, told: readonly FileNews[]): void {
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

  /** What a checker finds in what was saved, once it has. */
  #followSaved(place: ServerPlace, changes: readonly WrittenChange[]): void {
    const late = savedNews(place, changes).then((news) => news && this.#reflow.add(news));
    this.#due.add(changes[0]?.session ?? '', late);
  }

  #nameOf(path: string): string {
    return path.startsWith(this.#prefix) ? path.slice(this.#prefix.length) : path;
  }
}
