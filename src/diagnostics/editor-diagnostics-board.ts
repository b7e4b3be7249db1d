import { relative } from 'node:path';
import type { Clock } from '../workspace/clock.ts';
import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import { buildReport, isAtLeast, stateOf } from './build-report.ts';
import { ChangedBySession } from './changed-by-session.ts';
import { within } from './desk-wait.ts';
import type { DiagnosticsBoard, FileState, Reflow, WrittenChange } from './diagnostics-board.ts';
import { DueAnswers } from './due-answers.ts';
import { EditorFindings } from './editor-findings.ts';
import { pathOfChange } from './file-change.ts';
import { mergeReports } from './merge-reports.ts';
import type { RawDiagnostic } from './raw-diagnostic.ts';
import type { DiagnosticsReport, ServerAnswer } from './report.ts';

/** How a file stands with editors that hand over what their own servers say. */
export interface EditorCover {
  /** The editor, as it names itself. */
  readonly name: string;
  /** The buffer; `undefined`: the file is in the editor's folders and not open. */
  readonly text: string | undefined;
}

interface EditorBoardOptions {
  readonly root: string;
  readonly clock: Clock;
  /** For files that no editor speaks of. */
  readonly board: DiagnosticsBoard;
  coverOf(path: string): EditorCover | undefined;
}

/** What comes later than this is no news of an edit any more. */
const LATE_MS = 60_000;

/** An editor speaks of the buffer alone: which files depend on it is not known, and none of them was looked at. */
const DEPENDANTS_UNKNOWN = { isSeeking: true } as const;

interface Late extends Reflow {
  readonly session: string;
  readonly path: string;
  readonly text: string;
}

/**
 * A board for a root on which an editor works: of the files that it covers its own servers are believed, once they
 * spoke of exactly the text that an edit made, and none of ours starts.
 */
export class EditorDiagnosticsBoard implements DiagnosticsBoard {
  readonly findings: EditorFindings;
  readonly #options: EditorBoardOptions;
  readonly #due: DueAnswers;
  readonly #changed = new ChangedBySession();
  #late: readonly Late[] = [];

  constructor(options: EditorBoardOptions) {
    this.#options = options;
    this.findings = new EditorFindings(options.clock);
    this.#due = new DueAnswers(options.clock);
  }

  /** Takes what an editor's servers say of a buffer. */
  take(path: string, text: string, diagnostics: readonly RawDiagnostic[]): void {
    const shown = this.#nameOf(path);
    this.findings.take(
      path,
      text,
      diagnostics.map(({ code, source, ...rest }) => ({
        path: shown,
        ...rest,
        ...(code !== undefined && { code }),
        ...(source !== undefined && { source }),
      })),
    );
  }

  warmUp(document: DocumentSnapshot): void {
    if (!this.#options.coverOf(document.path)) this.#options.board.warmUp(document);
  }

  async check(changes: readonly WrittenChange[], budgetMs: number, signal?: AbortSignal): Promise<DiagnosticsReport> {
    const covered = changes.flatMap((change) => {
      const cover = this.#options.coverOf(pathOfChange(change));
      return cover ? [{ change, cover }] : [];
    });
    if (covered.length === 0) return this.#options.board.check(changes, budgetMs, signal);
    const others = changes.filter((change) => !covered.some((one) => one.change === change));
    const reports = [
      ...covered.map(({ change, cover }) => this.#checkOne(change, cover, { budgetMs, signal })),
      ...(others.length > 0 ? [this.#options.board.check(others, budgetMs, signal)] : []),
    ];
    return mergeReports(await Promise.all(reports));
  }

  async inspect(document: DocumentSnapshot, budgetMs: number, signal?: AbortSignal): Promise<FileState> {
    const { path, text } = document;
    const cover = this.#options.coverOf(path);
    if (!cover) return this.#options.board.inspect(document, budgetMs, signal);
    const named = { path: this.#nameOf(path), diagnostics: [] };
    if (cover.text === undefined) return { ...named, state: 'unavailable', servers: [notOpen(cover)] };
    const isKnown = await this.#wait(path, text, { budgetMs, signal });
    const finding = isKnown ? this.findings.of(path, text) : undefined;
    if (!finding) return { ...named, state: 'pending', servers: [pending(cover)] };
    const diagnostics = finding.now.filter((item) => isAtLeast(item, 'error'));
    return { ...named, state: 'fresh', diagnostics, all: finding.now, servers: [fresh(cover)] };
  }

  lookAhead: DiagnosticsBoard['lookAhead'] = (...asked) => this.#options.board.lookAhead(...asked);
  ask: DiagnosticsBoard['ask'] = (question, signal) => this.#options.board.ask(question, signal);
  runningServers: DiagnosticsBoard['runningServers'] = () => this.#options.board.runningServers();

  changedFiles(session: string | undefined, since?: string): readonly string[] {
    return [...new Set([...this.#changed.files(session, since), ...this.#options.board.changedFiles(session, since)])];
  }

  takeReflow(session: string): readonly Reflow[] {
    const own = this.#late.filter((late) => late.session === session);
    this.#late = this.#late.filter((late) => late.session !== session);
    // A buffer that was typed in since makes it old news.
    const isTrue = ({ path, text }: Late): boolean => this.#options.coverOf(path)?.text === text;
    const told = own.filter(isTrue).map(({ receipt, report }) => ({ receipt, report }));
    return [...told, ...this.#options.board.takeReflow(session)];
  }

  async settle(session: string, ms: number): Promise<void> {
    await Promise.all([this.#due.settle(session, ms), this.#options.board.settle(session, ms)]);
  }

  filesChanged(paths: readonly string[]): Promise<void> {
    return this.#options.board.filesChanged(paths);
  }

  close(): Promise<void> {
    return this.#options.board.close();
  }

  async #checkOne(
    change: WrittenChange,
    cover: EditorCover,
    { budgetMs, signal }: { readonly budgetMs: number; readonly signal: AbortSignal | undefined },
  ): Promise<DiagnosticsReport> {
    const { after, before, session } = change;
    const path = pathOfChange(change);
    this.#changed.note([change]);
    if (!after || cover.text === undefined) return this.#report(change, [notOpen(cover)]);
    const startedMs = this.#options.clock.now();
    const baseline = before && this.findings.of(path, before.text);
    const known = this.#wait(path, after.text, { budgetMs: LATE_MS, signal: undefined });
    const done = known.then((isKnown) => this.#news(change, { cover, baseline, isKnown }));
    const inTime = await within(done, budgetMs, signal);
    const ms = Math.round(this.#options.clock.now() - startedMs);
    if (inTime) return waitedFor(inTime, ms);
    const late = done.then((report) => {
      if (report.state === 'fresh')
        this.#late = [...this.#late, { session, receipt: change.receipt, path, text: after.text, report }];
    });
    this.#due.add(session, late);
    return waitedFor(this.#report(change, [pending(cover)]), ms);
  }

  #news(
    change: WrittenChange,
    { cover, baseline, isKnown }: { cover: EditorCover; baseline: ReturnType<EditorFindings['of']>; isKnown: boolean },
  ): DiagnosticsReport {
    const path = pathOfChange(change);
    const after = change.after && this.findings.of(path, change.after.text);
    if (!isKnown || !after) return this.#report(change, [overtaken(cover)]);
    if (!baseline) {
      const all = after.now.filter((item) => isAtLeast(item, 'error'));
      return { ...this.#report(change, [fresh(cover)]), before: null, open: all, ...DEPENDANTS_UNKNOWN };
    }
    const origin = { session: change.session, receipt: change.receipt };
    const delta = this.findings.attribute(path, { before: baseline, after, edits: change.edits, origin });
    const news = [{ path, ...delta, known: undefined, role: 'own' as const }];
    const servers = [fresh(cover)];
    return buildReport({ session: change.session, news, servers, severity: 'error', ms: 0, ...DEPENDANTS_UNKNOWN });
  }

  #report({ session }: WrittenChange, servers: readonly ServerAnswer[]): DiagnosticsReport {
    const report = buildReport({ session, news: [], servers, severity: 'error', ms: 0 });
    return { ...report, state: stateOf(servers), before: null };
  }

  /** Whether the editor has spoken of a text for good, within a time. */
  async #wait(
    path: string,
    text: string,
    { budgetMs, signal }: { readonly budgetMs: number; readonly signal: AbortSignal | undefined },
  ): Promise<boolean> {
    // It takes whole milliseconds only.
    const over = AbortSignal.timeout(Math.max(0, Math.ceil(budgetMs)));
    const isCurrent = (): boolean => this.#options.coverOf(path)?.text === text;
    return this.findings.settled(path, text, { isCurrent, signal: signal ? AbortSignal.any([signal, over]) : over });
  }

  #nameOf(path: string): string {
    const inside = relative(this.#options.root, path);
    return inside.startsWith('..') ? path : inside;
  }
}

function waitedFor(report: DiagnosticsReport, ms: number): DiagnosticsReport {
  return { ...report, ms, servers: report.servers.map((server) => ({ ...server, waitedMs: ms })) };
}

function fresh({ name }: EditorCover): ServerAnswer {
  return { name, version: null, state: 'fresh' };
}

function pending({ name }: EditorCover): ServerAnswer {
  return { name, version: null, state: 'pending', reason: 'still looking at the new text', sinceMs: 0 };
}

function notOpen({ name }: EditorCover): ServerAnswer {
  const reason = 'the file is not open there, and emend.ownServer, which would start a server for it, is off';
  return { name, version: null, state: 'unavailable', reason };
}

function overtaken({ name }: EditorCover): ServerAnswer {
  return { name, version: null, state: 'unavailable', reason: 'the buffer was changed again before it was looked at' };
}
