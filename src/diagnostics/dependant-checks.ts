import { TextDocument } from 'vscode-languageserver-textdocument';
import { languageIdOf } from '../workspace/document-snapshot.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { withTexts } from '../workspace/language-server/with-texts.ts';
import { uriOfPath } from '../workspace/uri.ts';
import { type Answered, askDiagnostics } from './ask-diagnostics.ts';
import { DeclarationWatch } from './declaration-watch.ts';
import type { Tracked } from './delta.ts';
import { DependantPass } from './dependant-pass.ts';
import type { FileChange } from './file-change.ts';
import type { FileLedger, FileNews } from './file-ledger.ts';
import { type AnswersBefore, LookAhead } from './look-ahead.ts';
import { moduleName } from './module-name.ts';
import type { OtherFiles } from './other-files.ts';
import { renamedNames } from './renamed-names.ts';
import { restingNames } from './resting-names.ts';

/** More files are not looked at; a server that wants each of them opened gets fewer. */
const MAX_UNOPENED = 300;
const MAX_OPENED = 60;

/** So often names are followed to other names, in so many files each time. */
const MAX_RENAMED = 4;
const MAX_READ = 100;
/** In more files than this nobody looks for what rests on the names. */
const MAX_RESTING = 30;

/** Finds the files that a change may have broken or mended, and asks the server about them. */
export class DependantChecks {
  readonly #server: LanguageServer;
  readonly #ledger: FileLedger;
  readonly #files: OtherFiles;
  readonly #declarations: DeclarationWatch;
  readonly #ahead: LookAhead;

  constructor(server: LanguageServer, ledger: FileLedger, files: OtherFiles) {
    this.#server = server;
    this.#ledger = ledger;
    this.#files = files;
    this.#declarations = new DeclarationWatch(server);
    const ask = (paths: readonly string[]) => this.#withDocuments(paths, (documents) => this.#ask(documents));
    this.#ahead = new LookAhead(server, files, ask);
  }

  /** Makes ready for changes of a document that the server has open. @throws ServerFailure */
  prepare(path: string): Promise<void> {
    return this.#declarations.prepare(path);
  }

  /** Call it while the server has the texts before the changes; `undefined` where there are none. @throws ServerFailure */
  async begin(changes: readonly FileChange[]): Promise<DependantPass | undefined> {
    const origin = changes.at(-1)?.origin;
    if (!origin) return undefined;
    const epochBefore = this.#server.epoch;
    const before = await this.#before(changes);
    const ends = await Promise.all(changes.map((change) => this.#declarations.begin(change)));
    const names = async (): Promise<ReadonlySet<string>> =>
      new Set((await Promise.all(ends.map((end) => end()))).flatMap((found) => [...found]));
    return new DependantPass({ changes, origin, epochBefore, before, names });
  }

  /** Asks what is said before these files come or go; `begin` goes by it. @throws ServerFailure */
  lookAhead(paths: readonly string[]): Promise<void> {
    return this.#ahead.look(paths);
  }

  async #before(changes: readonly FileChange[]): Promise<AnswersBefore> {
    const moved = changes.filter(({ before, after }) => !before || !after).map(({ path }) => path);
    if (moved.length === 0) return { answers: new Map(), isWhole: true };
    return this.#ahead.take(moved) ?? this.#ahead.ask(moved);
  }

  /** One step of a pass: finds its files, or asks about the next of them. @throws ServerFailure */
  async step(pass: DependantPass): Promise<void> {
    if (!pass.hasFiles) {
      const most = this.#server.resolved.definition.answersUnopened ? MAX_UNOPENED : MAX_OPENED;
      pass.setFiles(await this.#find(pass), most);
      return;
    }
    const { clock } = this.#server;
    const started = clock.now();
    const paths = pass.next();
    const news = await this.#check(paths, pass);
    pass.found(paths, news, clock.now() - started);
  }

  async #find(pass: DependantPass): Promise<readonly string[]> {
    const { definition } = this.#server.resolved;
    const own = new Set(pass.changes.map(({ path }) => path));
    const likelier = [...own].map(moduleName);
    const mentions = await this.#mentioning(await pass.names(), likelier);
    const candidates = new Set([...this.#ledger.brokenByEdits(), ...mentions]);
    return [...candidates].filter((path) => !own.has(path) && definition.languages.includes(languageIdOf(path)));
  }

  /** The files that have one of these names, or one by which such a file hands it on, or what rests on it. */
  async #mentioning(first: ReadonlySet<string>, likelier: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const names = new Set(first);
    let next = [...first];
    for (let far = 0; far < MAX_RENAMED && next.length > 0; far++) {
      const mentions = await this.#files.mentioning(this.#server.resolved.root, next, likelier);
      const fresh = mentions.filter((path) => !found.has(path));
      for (const path of fresh) found.add(path);
      const texts = await Promise.all(
        fresh.slice(0, MAX_READ).map(async (path) => [path, await this.#files.text(path)] as const),
      );
      // Where many rest on it, those behind them are too many to be asked.
      const follow = found.size <= MAX_RESTING ? [renamedNames, restingNames] : [renamedNames];
      const more = texts.flatMap(([path, text]) =>
        text === undefined ? [] : follow.flatMap((namesOf) => namesOf(text, path, names)),
      );
      next = [...new Set(more)].filter((name) => !names.has(name));
      for (const name of next) names.add(name);
    }
    return found;
  }

  #check(paths: readonly string[], pass: DependantPass): Promise<readonly FileNews[]> {
    return this.#withDocuments(paths, async (documents) => {
      const now = await this.#ask(documents);
      pass.leave(documents.length - now.length);
      const hadErrors = (path: string): boolean => {
        const before = pass.before.answers.get(path);
        return before !== undefined && hasErrors(before);
      };
      const isUnsure = ({ path, answer }: (typeof now)[number]): boolean =>
        !this.#hasBaseline(path, pass) &&
        (hasErrors(answer) || hadErrors(path) || this.#ledger.known(path) !== undefined);
      const unsure = now.filter(isUnsure);
      const missing = unsure.filter(({ path }) => !pass.before.answers.has(path));
      // What it was like before can no longer be asked: to say that nothing is new would be to guess.
      const lost = pass.before.isWhole ? [] : missing;
      pass.leave(lost.length);
      const shown = missing.filter((one) => !lost.includes(one)).map(({ document }) => document);
      const before = new Map([...(await this.#askBefore(shown, pass)), ...pass.before.answers]);
      return now
        .filter((one) => !lost.includes(one))
        .flatMap(({ path, answer }) => {
          const isKnown = !unsure.some((one) => one.path === path);
          const news = this.#ledger.judgeOther(path, answer, {
            origin: pass.origin,
            before: before.get(path),
            isKnown,
            epochBefore: pass.epochBefore,
          });
          this.#ledger.keep(news);
          const isTelling = news.introduced.length + news.fixed.length > 0 || news.tracked.some(({ origin }) => origin);
          return isTelling ? [news] : [];
        });
    });
  }

  /** Does something with these files as they stand; a server that knows only open ones has them open meanwhile. */
  async #withDocuments<T>(paths: readonly string[], work: (documents: readonly Other[]) => Promise<T>): Promise<T> {
    const documents = (await Promise.all(paths.map((path) => this.#document(path)))).flatMap((one) => one ?? []);
    const opened = this.#server.resolved.definition.answersUnopened ? [] : documents.filter((one) => this.#open(one));
    try {
      return await work(documents);
    } finally {
      for (const { path } of opened) this.#server.release(path);
    }
  }

  /**
   * What was known before the changes went out is what they are compared with. What came to be known since may be theirs,
   * unless an edit is known to have made it.
   */
  #hasBaseline(path: string, pass: DependantPass): boolean {
    const known = this.#ledger.known(path);
    if (!known || known.epoch < pass.epochBefore) return false;
    const isDoubtful = ({ origin, diagnostic }: Tracked): boolean => !origin && diagnostic.severity === 'error';
    return known.epoch === pass.epochBefore || !known.tracked.some(isDoubtful);
  }

  /** What the server would say of these files had the changes not been made; for that it is shown the old texts once more. */
  async #askBefore(documents: readonly Other[], pass: DependantPass): Promise<ReadonlyMap<string, Answered>> {
    const texts = pass.changes.flatMap(({ before, after }) => (before && after ? [before] : []));
    if (documents.length === 0 || texts.length === 0) return new Map();
    const old = texts.map(({ path, textDocument, text }) => ({ path, languageId: textDocument.languageId, text }));
    const answers = await withTexts(this.#server, old, () => this.#ask(documents));
    return new Map(answers.map(({ path, answer }) => [path, answer]));
  }

  async #ask(
    documents: readonly Other[],
  ): Promise<readonly { readonly path: string; readonly document: Other; readonly answer: Answered }[]> {
    const answers = await Promise.all(
      documents.map(async (document) => {
        const answer = await this.#askOne(document);
        return answer.status === 'answered' ? [{ path: document.path, document, answer }] : [];
      }),
    );
    return answers.flat();
  }

  /** One that belongs to no project which the server has loaded is opened for it. */
  async #askOne(document: Other): Promise<Awaited<ReturnType<typeof askDiagnostics>>> {
    const answer = await askDiagnostics(this.#server, document.path, document.textDocument);
    if (answer.status !== 'unavailable' || !this.#open(document)) return answer;
    try {
      return await askDiagnostics(this.#server, document.path);
    } finally {
      this.#server.release(document.path);
    }
  }

  async #document(path: string): Promise<Other | undefined> {
    const open = this.#server.documents.get(path);
    if (open) return { path, textDocument: open };
    const text = await this.#files.text(path);
    if (text === undefined) return undefined;
    return { path, textDocument: TextDocument.create(uriOfPath(path), languageIdOf(path), 0, text) };
  }

  #open({ path, textDocument }: Other): boolean {
    if (this.#server.documents.get(path)) return false;
    this.#server.sync({ path, languageId: textDocument.languageId, text: textDocument.getText() });
    return true;
  }
}

interface Other {
  readonly path: string;
  readonly textDocument: TextDocument;
}

/** Of files that nobody edited only errors matter. */
function hasErrors(answer: Answered): boolean {
  return answer.diagnostics.some(({ severity }) => severity === 'error');
}
