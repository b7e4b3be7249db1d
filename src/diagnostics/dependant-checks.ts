import { TextDocument } from 'vscode-languageserver-textdocument';
import { languageIdOf } from '../workspace/document-snapshot.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { withTexts } from '../workspace/language-server/with-texts.ts';
import { uriOfPath } from '../workspace/uri.ts';
import type { Answer } from './ask-diagnostics.ts';
import { askDiagnostics } from './ask-diagnostics.ts';
import { DeclarationWatch, moduleName } from './declaration-watch.ts';
import { DependantPass } from './dependant-pass.ts';
import type { FileChange } from './file-change.ts';
import type { FileLedger, FileNews } from './file-ledger.ts';

/** What finding and reading other files needs. */
export interface OtherFiles {
  /** Absolute paths of files below `root` that have one of the words, likelier ones first. */
  mentioning(root: string, words: readonly string[], likelier: readonly string[]): Promise<readonly string[]>;
  /** A file's text as the servers should see it; `undefined` where it can't be read. */
  text(path: string): Promise<string | undefined>;
  /** Something that differs when the file may have changed; `undefined` where there is none. */
  stamp(path: string): Promise<string | undefined>;
}

type Answered = Extract<Answer, { readonly status: 'answered' }>;

/** More files are not looked at; a server that wants each of them opened gets fewer. */
const MAX_UNOPENED = 300;
const MAX_OPENED = 60;

/** Finds the files that a change may have broken or mended, and asks the server about them. */
export class DependantChecks {
  readonly #server: LanguageServer;
  readonly #ledger: FileLedger;
  readonly #files: OtherFiles;
  readonly #declarations: DeclarationWatch;

  constructor(server: LanguageServer, ledger: FileLedger, files: OtherFiles) {
    this.#server = server;
    this.#ledger = ledger;
    this.#files = files;
    this.#declarations = new DeclarationWatch(server);
  }

  /** Makes ready for changes of a document that the server has open. @throws ServerFailure */
  prepare(path: string): Promise<void> {
    return this.#declarations.prepare(path);
  }

  /** Call it while the server has the texts before the changes; `undefined` where there are none. */
  async begin(changes: readonly FileChange[]): Promise<DependantPass | undefined> {
    const origin = changes.at(-1)?.origin;
    if (!origin) return undefined;
    const epochBefore = this.#server.epoch;
    const ends = await Promise.all(changes.map((change) => this.#declarations.begin(change)));
    const names = async (): Promise<ReadonlySet<string>> =>
      new Set((await Promise.all(ends.map((end) => end()))).flatMap((found) => [...found]));
    return new DependantPass({ changes, origin, epochBefore, names });
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
    const { definition, root } = this.#server.resolved;
    const own = new Set(pass.changes.map(({ path }) => path));
    const names = [...(await pass.names())];
    const likelier = [...own].map(moduleName);
    const mentions = names.length === 0 ? [] : await this.#files.mentioning(root, names, likelier);
    const candidates = new Set([...this.#ledger.brokenByEdits(), ...mentions]);
    return [...candidates].filter((path) => !own.has(path) && definition.languages.includes(languageIdOf(path)));
  }

  async #check(paths: readonly string[], pass: DependantPass): Promise<readonly FileNews[]> {
    const documents = (await Promise.all(paths.map((path) => this.#document(path)))).flatMap((one) => one ?? []);
    const opened = this.#server.resolved.definition.answersUnopened ? [] : documents.filter((one) => this.#open(one));
    try {
      const now = await this.#ask(documents);
      const unsure = now.filter(
        ({ path, answer }) => !this.#hasBaseline(path, pass) && (hasErrors(answer) || this.#ledger.known(path)),
      );
      const before = await this.#askBefore(
        unsure.map(({ document }) => document),
        pass,
      );
      return now.flatMap(({ path, answer }) => {
        const old = before.get(path);
        const news = this.#ledger.judgeOther(path, answer, {
          origin: pass.origin,
          before: old,
          isKnown: !unsure.some((one) => one.path === path),
        });
        this.#ledger.keep(news);
        const isTelling = news.introduced.length + news.fixed.length > 0 || news.tracked.some(({ origin }) => origin);
        return isTelling ? [news] : [];
      });
    } finally {
      for (const { path } of opened) this.#server.release(path);
    }
  }

  /** What was known before the changes went out, or came to be known since, is what they are compared with. */
  #hasBaseline(path: string, pass: DependantPass): boolean {
    return (this.#ledger.known(path)?.epoch ?? -1) >= pass.epochBefore;
  }

  /** What the server would say of these files had the changes not been made; for that it is shown the old texts once more. */
  async #askBefore(documents: readonly Other[], pass: DependantPass): Promise<ReadonlyMap<string, Answered>> {
    const texts = pass.changes.flatMap(({ before, after }) => (before && after ? [before] : []));
    if (documents.length === 0 || texts.length < pass.changes.length) return new Map();
    const old = texts.map(({ path, textDocument, text }) => ({ path, languageId: textDocument.languageId, text }));
    const answers = await withTexts(this.#server, old, () => this.#ask(documents));
    return new Map(answers.map(({ path, answer }) => [path, answer]));
  }

  async #ask(
    documents: readonly Other[],
  ): Promise<readonly { readonly path: string; readonly document: Other; readonly answer: Answered }[]> {
    const answers = await Promise.all(
      documents.map(async (document) => {
        const answer = await askDiagnostics(this.#server, document.path, document.textDocument);
        return answer.status === 'answered' ? [{ path: document.path, document, answer: errorsOf(answer) }] : [];
      }),
    );
    return answers.flat();
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
function errorsOf(answer: Answered): Answered {
  return { ...answer, diagnostics: answer.diagnostics.filter(({ severity }) => severity === 'error') };
}

function hasErrors(answer: Answered): boolean {
  return answer.diagnostics.length > 0;
}
