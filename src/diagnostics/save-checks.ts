import { TextDocument } from 'vscode-languageserver-textdocument';
import { languageIdOf } from '../workspace/document-snapshot.ts';
import { differenceOf } from '../workspace/language-server/content-change.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { ServerDefinition } from '../workspace/language-server/server-definition.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import type { ServerSession } from '../workspace/language-server/server-session.ts';
import { uriOfPath } from '../workspace/uri.ts';
import { readDiagnostics } from './ask-by-pull.ts';
import { listenToPublications } from './ask-by-push.ts';
import type { Step } from './delta.ts';
import type { DeskWait } from './desk-wait.ts';
import type { WrittenChange } from './diagnostics-board.ts';
import { condenseChanges, type FileChange, mergeChanges, pathOfChange } from './file-change.ts';
import { FileLedger, type FileNews } from './file-ledger.ts';
import type { OtherFiles } from './other-files.ts';
import type { PublishedDiagnostics } from './published-diagnostics.ts';
import type { LateNews } from './reflow-queue.ts';
import { SaveProgress } from './save-progress.ts';

type OnSave = NonNullable<ServerDefinition['onSave']>;

/** What came of a check of what was saved. */
type Saved =
  | { readonly status: 'answered'; readonly news: readonly FileNews[] }
  | { readonly status: 'unavailable'; readonly reason: string };

/**
 * The second stage of a server that runs a checker over what is saved, and publishes what that finds: a compiler's own
 * errors. It takes its time, so nobody waits for it: what it finds follows with a later result. One check serves all
 * changes that were written before it began; one that a change overtakes is made anew.
 */
export class SaveChecks {
  readonly ledger: FileLedger;
  readonly #server: LanguageServer;
  readonly #files: OtherFiles;
  readonly #published: PublishedDiagnostics;
  readonly #progress: SaveProgress;
  /** Changes that no check has answered for. */
  #owed: readonly WrittenChange[] = [];
  #running: Promise<Saved> | undefined;
  #hasBaseline = false;

  constructor(options: {
    readonly server: LanguageServer;
    readonly files: OtherFiles;
    readonly nameOf: (path: string) => string;
    readonly onSave: OnSave;
  }) {
    this.#server = options.server;
    this.#files = options.files;
    this.ledger = new FileLedger(options.server, options.nameOf);
    this.#published = listenToPublications(options.server);
    this.#progress = new SaveProgress(options.server, options.onSave);
  }

  /** Whether a change of this file waits for its check. */
  isPending(path: string): boolean {
    return this.#owed.some((change) => pathOfChange(change) === path);
  }

  /** Says that changes were saved, which the server has, and waits for what the checker finds; never rejects. */
  check(changes: readonly WrittenChange[]): Promise<Saved> {
    this.#owed = condenseChanges([...this.#owed, ...changes]);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<Saved> {
    try {
      const session = await this.#server.ready();
      if (!this.#hasBaseline && this.#progress.hasEnded) await this.#take(session, mergeChanges(this.#owed), 'before');
      for (;;) {
        const changes = this.#owed;
        const { epoch } = this.#server;
        await this.#progress.after(session, () => this.#say(session, changes));
        // What it found may be of a text that came meanwhile.
        if (this.#owed !== changes || this.#server.epoch !== epoch) continue;
        this.#owed = [];
        return { status: 'answered', news: await this.#take(session, mergeChanges(changes), 'after') };
      }
    } catch (error) {
      if (!(error instanceof ServerFailure)) return { status: 'unavailable', reason: `its answer is odd: ${error}` };
      return { status: 'unavailable', reason: error.message };
    }
  }

  #say(session: ServerSession, changes: readonly WrittenChange[]): void {
    for (const path of new Set(changes.map(pathOfChange))) {
      session.notify('textDocument/didSave', { textDocument: { uri: uriOfPath(path) } });
    }
  }

  /** Judges what is published now: `before`, as a baseline, by the texts before the changes. */
  async #take(
    session: ServerSession,
    changes: readonly FileChange[],
    when: 'before' | 'after',
  ): Promise<readonly FileNews[]> {
    const origin = when === 'after' && this.#hasBaseline ? changes.at(-1)?.origin : undefined;
    const news: FileNews[] = [];
    for (const [path, { items }] of this.#published.all()) {
      const change = changes.find((one) => one.path === path);
      const document = (when === 'before' ? change?.before?.textDocument : undefined) ?? (await this.#document(path));
      if (!document) continue;
      const diagnostics = readDiagnostics(items, { document, session });
      const answer = { status: 'answered', document, epoch: this.#server.epoch, diagnostics } as const;
      const judged = this.ledger.judgeSaved(path, answer, { origin, steps: this.#steps(document, change, path) });
      const told = this.#hasBaseline ? judged : { ...judged, introduced: [], fixed: [] };
      this.ledger.keep(told);
      if (told.introduced.length + told.fixed.length > 0) news.push(told);
    }
    this.#hasBaseline = true;
    return news;
  }

  /** From the text that the checker last saw; the changes may not be all that happened since. */
  #steps(now: TextDocument, change: FileChange | undefined, path: string): readonly Step[] {
    const last = this.ledger.known(path)?.document;
    if (!last || last.getText() === now.getText()) return [];
    const isAll = change?.before?.text === last.getText() && change.after?.text === now.getText();
    return isAll ? change.steps : [{ before: last, edits: [differenceOf(last.getText(), now.getText())] }];
  }

  async #document(path: string): Promise<TextDocument | undefined> {
    const open = this.#server.documents.get(path);
    if (open) return open;
    const text = await this.#files.text(path);
    return text === undefined ? undefined : TextDocument.create(uriOfPath(path), languageIdOf(path), 0, text);
  }
}

/** What the check of changes that were saved found, as a late answer; `undefined` where there is nothing to tell. */
export async function savedNews(
  { saves, wait }: { readonly saves: SaveChecks | undefined; readonly wait: Pick<DeskWait, 'describe'> },
  changes: readonly WrittenChange[],
): Promise<LateNews | undefined> {
  const last = changes.at(-1);
  if (!saves || !last) return undefined;
  const saved = await saves.check(changes);
  const head = { session: last.session, receipt: last.receipt, desk: saves };
  const { name, version } = wait.describe(undefined);
  switch (saved.status) {
    case 'answered':
      return saved.news.length > 0
        ? { ...head, news: saved.news, server: { name, version, state: 'fresh' } }
        : undefined;
    case 'unavailable':
      return { ...head, news: [], server: { name, version, state: 'unavailable', reason: `on save: ${saved.reason}` } };
  }
}
