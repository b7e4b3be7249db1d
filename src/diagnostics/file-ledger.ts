import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import { differenceOf } from '../workspace/language-server/content-change.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { type Answered, askDiagnostics } from './ask-diagnostics.ts';
import { isInNoProject } from './ask-project.ts';
import { compareDiagnostics, type DeltaInput, type Origin, type Step, type Tracked } from './delta.ts';
import type { FileChange } from './file-change.ts';
import type { RawDiagnostic } from './raw-diagnostic.ts';
import type { FileDiagnostic } from './report.ts';

/** What a server said of one text of one file. */
export interface Known {
  readonly document: TextDocument;
  /** The server's epoch at that time: at another it might say something else of the same text. */
  readonly epoch: number;
  readonly tracked: readonly Tracked[];
}

/** What a change did to what a server says of a file. */
export interface FileNews {
  readonly path: string;
  readonly tracked: readonly Tracked[];
  readonly introduced: readonly Tracked[];
  readonly fixed: readonly Tracked[];
  /** What the next baseline is; `undefined`: the file is gone. */
  readonly known: Known | undefined;
  /** `dependant`: nobody edited this file. */
  readonly role: 'own' | 'dependant';
  /** The server judged it by default options, since no project takes it in. */
  readonly isInNoProject?: boolean;
}

/** The server runs and can't know; a string is why. */
type OrReason<T> = T | string;

const MAX_OVERTAKEN = 5;

/** What one server last said of each file, each finding with the edit that it came with. */
export class FileLedger {
  readonly #server: LanguageServer;
  readonly #nameOf: (path: string) => string;
  readonly #known = new Map<string, Known>();

  constructor(server: LanguageServer, nameOf: (path: string) => string) {
    this.#server = server;
    this.#nameOf = nameOf;
  }

  known(path: string): Known | undefined {
    return this.#known.get(path);
  }

  /** Takes news as what holds from now on. */
  keep(news: FileNews): void {
    if (news.known) this.#known.set(news.path, news.known);
    else this.#known.delete(news.path);
  }

  /** Whether what is known is of this text, and nothing was sent since that could change it. */
  isCurrent(document: DocumentSnapshot): boolean {
    const known = this.#known.get(document.path);
    return known !== undefined && known.epoch === this.#server.epoch && known.document.getText() === document.text;
  }

  /**
   * What the server says of the text before a change, asked for by that text where it is not known. Errors that other
   * changes made meanwhile are in it, so they are not blamed on this one.
   */
  async baseline(change: FileChange): Promise<OrReason<Known | undefined>> {
    const { before } = change;
    if (!before) return undefined;
    const known = this.#known.get(change.path);
    if (known && this.isCurrent(before)) return known;
    const news = await this.inspect(before);
    return typeof news === 'string' ? news : news.known;
  }

  /** Makes the server's text of the file what the change made it. */
  send(change: FileChange): void {
    const [step] = change.steps;
    const edits = change.steps.length === 1 ? step?.edits : undefined;
    if (change.after) this.#server.sync(textOf(change.after), edits);
    else this.#server.close(change.path);
  }

  /** Asks about the text after a change, which was sent. */
  async resolve(change: FileChange, baseline: Known | undefined): Promise<OrReason<FileNews>> {
    const before = baseline?.tracked ?? [];
    if (!change.after) {
      return { path: change.path, tracked: [], introduced: [], fixed: before, known: undefined, role: 'own' };
    }
    return this.#ask(change.path, { baseline: before, steps: change.steps, origin: change.origin });
  }

  /** Makes the server's text of a document this one, and asks what it says; nothing is called introduced. */
  async inspect(document: DocumentSnapshot): Promise<OrReason<FileNews>> {
    const known = this.#known.get(document.path);
    this.#server.sync(textOf(document));
    const isSame = !known || known.document.getText() === document.text;
    const steps = isSame
      ? []
      : [{ before: known.document, edits: [differenceOf(known.document.getText(), document.text)] }];
    const news = await this.#ask(document.path, { baseline: known?.tracked ?? [], steps, origin: undefined });
    return typeof news === 'string' ? news : { ...news, introduced: [], fixed: [] };
  }

  async #ask(
    path: string,
    from: {
      readonly baseline: readonly Tracked[];
      readonly steps: readonly Step[];
      readonly origin: Origin | undefined;
    },
  ): Promise<OrReason<FileNews>> {
    for (let tries = 0; tries < MAX_OVERTAKEN; tries++) {
      const asked = Promise.all([askDiagnostics(this.#server, path), isInNoProject(this.#server, path)]);
      const [answer, hasNoProject] = await asked;
      if (answer.status === 'unavailable') return answer.reason;
      if (answer.status === 'overtaken') continue;
      return { ...this.#judge(path, answer, { ...from, role: 'own' }), isInNoProject: hasNoProject };
    }
    return 'other files change faster than it answers';
  }

  /** The files that have an error which an edit made. */
  brokenByEdits(): readonly string[] {
    return [...this.#known].filter(([, { tracked }]) => tracked.some(isMadeByEdit)).map(([path]) => path);
  }

  /**
   * News of a file that nobody edited, errors only. `before` is what was said of it without the changes; where that is
   * not known either (`isKnown` false), nothing is called introduced. `epochBefore`: the server's before them.
   */
  judgeOther(
    path: string,
    answer: Answered,
    from: {
      readonly origin: Origin;
      readonly before: Answered | undefined;
      readonly isKnown: boolean;
      readonly epochBefore: number;
    },
  ): FileNews {
    const known = this.#known.get(path);
    const baseline = known?.tracked ?? [];
    const role = 'dependant';
    if (from.isKnown) return errorsOnly(this.#judge(path, answer, { baseline, steps: [], origin: from.origin, role }));
    const old = from.before ?? answer;
    const earlier = this.#judge(path, old, { baseline, steps: [], origin: undefined, role }).tracked;
    // What an edit made since is that edit's, and not told again.
    const isSince = (known?.epoch ?? 0) > from.epochBefore;
    const others = baseline.filter(({ id, origin }) => isSince && origin && !earlier.some((one) => one.id === id));
    const all = [...earlier, ...others];
    return errorsOnly(this.#judge(path, answer, { baseline: all, steps: [], origin: from.origin, role }));
  }

  /** News of what a checker of saved files says of one; `steps` lead from the text that it last saw. */
  judgeSaved(
    path: string,
    answer: Answered,
    from: { readonly origin: Origin | undefined; readonly steps: readonly Step[] },
  ): FileNews {
    const baseline = this.#known.get(path)?.tracked ?? [];
    return this.#judge(path, answer, { baseline, role: 'own', ...from });
  }

  #judge(
    path: string,
    answer: Answered,
    from: Pick<DeltaInput, 'baseline' | 'steps' | 'origin'> & Pick<FileNews, 'role'>,
  ): FileNews {
    const { document, epoch } = answer;
    const { role, ...input } = from;
    const now = answer.diagnostics.map((diagnostic) => this.#fileDiagnostic(path, diagnostic));
    const delta = compareDiagnostics({ ...input, after: document, now });
    return { path, ...delta, known: { document, epoch, tracked: delta.tracked }, role };
  }

  #fileDiagnostic(path: string, { range, severity, code, message, source }: RawDiagnostic): FileDiagnostic {
    const prefix = this.#server.resolved.definition.codePrefix;
    return {
      path: this.#nameOf(path),
      range,
      severity,
      message,
      ...(code === undefined ? {} : { code: `${prefix}${code}` }),
      ...(source === undefined ? {} : { source }),
    };
  }
}

function isMadeByEdit({ origin, diagnostic }: Tracked): boolean {
  return origin !== undefined && diagnostic.severity === 'error';
}

/** Only errors are told; what else is new is taken as if it had been there. */
function errorsOnly(news: FileNews): FileNews {
  const isError = ({ diagnostic }: Tracked): boolean => diagnostic.severity === 'error';
  const isNew = new Set(news.introduced);
  const tracked = news.tracked.map((one) => (isNew.has(one) && !isError(one) ? { ...one, origin: undefined } : one));
  const known = news.known && { ...news.known, tracked };
  return { ...news, tracked, known, introduced: news.introduced.filter(isError), fixed: news.fixed.filter(isError) };
}

function textOf(document: DocumentSnapshot): { path: string; languageId: string; text: string } {
  return { path: document.path, languageId: document.textDocument.languageId, text: document.text };
}
