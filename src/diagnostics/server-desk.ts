import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { ChangedFile } from '../workspace/language-server/local-file-watch.ts';
import { FILE_CHANGE } from '../workspace/language-server/registrations.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import { listenToPublications } from './ask-by-push.ts';
import { askEarly } from './ask-early.ts';
import { DependantChecks } from './dependant-checks.ts';
import type { DependantPass } from './dependant-pass.ts';
import type { DeskAnswer } from './desk-answer.ts';
import type { WrittenChange } from './diagnostics-board.ts';
import { condenseChanges, type FileChange, mergeChanges, pathOfChange } from './file-change.ts';
import type { FileLedger, FileNews, Known } from './file-ledger.ts';
import { type Job, nextTurn } from './next-turn.ts';
import type { OtherFiles } from './other-files.ts';
import { OutsideChanges } from './outside-changes.ts';
import { PackageFolders } from './package-folders.ts';

/** So often one round is begun anew because the server ended in the middle of it. */
const MAX_ENDS = 3;
const MAX_WARM = 12;

/**
 * The queue before one server. Rounds follow each other: each takes all changes of one session that wait, asks for
 * baselines that are missing by the old texts, sends all new texts, then asks. So no answer is of a half-sent change or
 * of what another session did meanwhile, and a flood of changes costs few rounds. Documents to warm up have their turn
 * when nobody waits.
 */
export class ServerDesk {
  readonly server: LanguageServer;
  readonly ledger: FileLedger;
  #waiting: Job[] = [];
  #inHand: readonly Job[] = [];
  #warm: DocumentSnapshot[] = [];
  /** Changes that no round could answer, kept so that the next answer tells what they did. */
  #owed: readonly WrittenChange[] = [];
  /** The newest text of each changed file: a text that was read before the change must not be sent after it. */
  readonly #newest = new Map<string, DocumentSnapshot | undefined>();
  readonly #dependants: DependantChecks;
  readonly #outside: OutsideChanges;
  readonly #packages: PackageFolders;
  #passes: readonly DependantPass[] = [];
  #questions: (() => Promise<void>)[] = [];
  #isWorking = false;

  constructor(server: LanguageServer, ledger: FileLedger, files: OtherFiles) {
    this.server = server;
    this.ledger = ledger;
    listenToPublications(server);
    this.#outside = new OutsideChanges(server, files);
    this.#packages = new PackageFolders(server, files);
    this.#dependants = new DependantChecks(server, ledger, files);
  }

  /** Whether a change of this file waits for its answer: what is known of the file is then of an older text. */
  isPending(path: string): boolean {
    const changes = [...this.#inHand, ...this.#waiting].flatMap((job) => job.changes);
    return [...this.#owed, ...changes].some((change) => pathOfChange(change) === path);
  }

  /** Asks what changes did; never rejects. */
  change(changes: readonly WrittenChange[]): Promise<DeskAnswer> {
    for (const change of changes) this.#newest.set(pathOfChange(change), change.after);
    return this.#enqueue({ changes, documents: [] });
  }

  /** Asks what holds for a text; never rejects. */
  inspect(document: DocumentSnapshot): Promise<DeskAnswer> {
    this.#newest.set(document.path, this.#newestOf(document));
    return this.#enqueue({ changes: [], documents: [document] });
  }

  /** Takes what others changed; the server hears of it before it is asked for anything more. */
  filesChanged(changes: readonly ChangedFile[]): void {
    this.#outside.tell(changes.filter(({ path }) => !this.isPending(path)));
  }

  /** Asks, at most for its own time, what is said before these files come or go; never rejects. */
  async lookAhead(paths: readonly string[]): Promise<void> {
    await this.converse(() => this.#dependants.lookAhead(paths)).catch(() => {});
  }

  /**
   * Runs `work` when the server has every text that was changed before, and nothing else is said to it meanwhile.
   * `early`: it is begun while the files are looked at, and done again where one of them was changed by others.
   */
  converse<T>(work: () => Promise<T>, when: 'in_turn' | 'early' = 'in_turn'): Promise<T> {
    return new Promise((resolve, reject) => {
      const ask = async (): Promise<T> => {
        if (!this.server.session) await this.server.ready();
        const passOn = (): Promise<void> => this.#passOn();
        if (when === 'early') return await askEarly(this.server, passOn, work);
        await passOn();
        return work();
      };
      this.#questions.push(() => ask().then(resolve, reject));
      this.#work();
    });
  }

  /** Gets a baseline when there is time, for the latest documents only. */
  warmUp(document: DocumentSnapshot): void {
    this.#warm = [...this.#warm.filter(({ path }) => path !== document.path), document].slice(-MAX_WARM);
    this.#work();
  }

  #enqueue(job: Omit<Job, 'resolve'>): Promise<DeskAnswer> {
    return new Promise((resolve) => {
      this.#waiting.push({ ...job, resolve });
      this.#work();
    });
  }

  #work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#rounds().finally(() => {
      this.#isWorking = false;
    });
  }

  async #rounds(): Promise<void> {
    while (this.#hasWork()) {
      const [pass] = this.#passes;
      const question = this.#waiting.length > 0 ? undefined : this.#questions.shift();
      if (question) await question();
      else if (this.#waiting.length > 0 || this.#owed.length > 0) await this.#round();
      else if (pass) await this.#look(pass);
      else await this.#warmOne();
    }
  }

  #hasWork(): boolean {
    return [this.#waiting, this.#questions, this.#passes, this.#warm].some(({ length }) => length > 0);
  }

  async #round(): Promise<void> {
    const { now: jobs, later } = nextTurn(this.#waiting);
    this.#waiting = [...later];
    this.#inHand = jobs;
    const changes = [...this.#owed, ...jobs.flatMap((job) => job.changes)];
    const documents = jobs.flatMap((job) => job.documents);
    const answer = await this.#answer(mergeChanges(changes), documents);
    this.#owed = answer.status === 'answered' ? [] : condenseChanges(changes);
    this.#inHand = [];
    if (answer.status === 'unavailable') this.#rest();
    else for (const news of answer.news.values()) this.ledger.keep(news);
    if (answer.status === 'answered' && answer.pass) this.#passes = [answer.pass, ...this.#passes];
    for (const job of jobs) job.resolve(answer);
  }

  /** Asks nothing more until somebody waits again: a server that does not answer would be asked without end. */
  #rest(): void {
    for (const pass of this.#passes) pass.end();
    [this.#warm, this.#passes] = [[], []];
  }

  async #answer(changes: readonly FileChange[], documents: readonly DocumentSnapshot[]): Promise<DeskAnswer> {
    const baselines = new Map<string, Known | undefined>();
    for (let ends = 1; ; ends++) {
      try {
        return await this.#ask({ changes, documents, baselines });
      } catch (error) {
        // What can't be read is the server's fault or ours; either way nobody who waits may hang.
        if (!(error instanceof ServerFailure)) return { status: 'unavailable', reason: `its answer is odd: ${error}` };
        const isOver = error.code === 'not_started' || ends >= MAX_ENDS || this.server.isStopped;
        if (isOver) return { status: 'unavailable', reason: error.message };
      }
    }
  }

  async #ask(round: {
    readonly changes: readonly FileChange[];
    readonly documents: readonly DocumentSnapshot[];
    /** Kept when the round is begun anew: the texts before may no longer be asked for then. */
    readonly baselines: Map<string, Known | undefined>;
  }): Promise<DeskAnswer> {
    const { ledger, server } = this;
    const { changes, baselines } = round;
    await server.ready();
    await this.#passOn(new Set(changes.map(({ path }) => path)));
    for (const change of changes) {
      if (baselines.has(change.path)) continue;
      const baseline = await ledger.baseline(change);
      if (typeof baseline === 'string') return { status: 'unavailable', reason: baseline };
      baselines.set(change.path, baseline);
    }
    const pass = await this.#dependants.begin(changes);
    for (const change of changes) ledger.send(change);
    server.filesChanged(changes);
    if (changes.some(({ type }) => type !== FILE_CHANGE.changed)) await server.lookAgain();

    const news = new Map<string, FileNews>();
    const answers = await Promise.all(changes.map((change) => ledger.resolve(change, baselines.get(change.path))));
    for (const answer of answers) {
      if (typeof answer === 'string') return { status: 'unavailable', reason: answer };
      news.set(answer.path, answer);
    }
    for (const asked of round.documents) {
      const document = this.#newestOf(asked);
      const answer = await ledger.inspect(document);
      if (typeof answer === 'string') return { status: 'unavailable', reason: answer };
      // What the changes of this round did stays told by their own news.
      if (!news.has(document.path)) news.set(document.path, answer);
    }
    return { status: 'answered', news, pass };
  }

  /** One step, so that a change that comes meanwhile waits for one chunk of files at most. */
  async #look(pass: DependantPass): Promise<void> {
    try {
      await this.#passOn();
      await this.#dependants.step(pass);
    } catch (error) {
      // The files stay named as unchecked; the next change of what they depend on looks at them again.
      pass.end();
      if (!(error instanceof ServerFailure)) throw error;
    } finally {
      if (pass.isOver) this.#passes = this.#passes.filter((one) => one !== pass);
    }
  }

  /** Makes the server know what others did: to packages, and to files other than `own`. @throws ServerFailure */
  async #passOn(own: ReadonlySet<string> = new Set()): Promise<void> {
    await this.#packages.follow();
    await this.#outside.passOn(own);
  }

  #newestOf(document: DocumentSnapshot): DocumentSnapshot {
    const newest = this.#newest.get(document.path);
    return newest && newest.textDocument.version > document.textDocument.version ? newest : document;
  }

  async #warmOne(): Promise<void> {
    const document = this.#warm.pop();
    if (!document || this.#newestOf(document) !== document || this.ledger.isCurrent(document)) return;
    try {
      await this.server.ready();
      await this.#passOn();
      const news = await this.ledger.inspect(document);
      if (typeof news !== 'string') this.ledger.keep(news);
      await this.#dependants.prepare(document.path);
    } catch (error) {
      // Nobody waits for a warm-up; whoever edits next meets the same failure and says so.
      if (!(error instanceof ServerFailure)) throw error;
      this.#warm = [];
    }
  }
}
