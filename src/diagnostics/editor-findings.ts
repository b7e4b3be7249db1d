import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Clock } from '../workspace/clock.ts';
import { differenceOf } from '../workspace/language-server/content-change.ts';
import type { SpanEdit } from '../workspace/span.ts';
import { compareDiagnostics, type Origin, type Tracked } from './delta.ts';
import type { FileDiagnostic } from './report.ts';

/** What an editor said of one text of one file. */
interface Finding {
  readonly textDocument: TextDocument;
  readonly now: readonly FileDiagnostic[];
  readonly tracked: readonly Tracked[];
}

interface Said extends Finding {
  /** On the clock: when it was last said. */
  readonly atMs: number;
}

/** Texts of one file of which findings are kept: the one before an edit must still be there when it is looked for. */
const MAX_TEXTS = 8;

/**
 * How long a source may still add to what it has said, in milliseconds. TypeScript's in VS Code comes in three parts
 * (syntax, meaning, suggestions); others publish once.
 */
const SETTLE_MS: Readonly<Record<string, number>> = { ts: 1000, js: 1000, Pyright: 150, basedpyright: 150 };
const DEFAULT_SETTLE_MS = 500;

/** What an editor's own servers said, by text, and whether they may be adding to it. */
export class EditorFindings {
  readonly #clock: Clock;
  readonly #said = new Map<string, readonly Said[]>();
  readonly #sources = new Map<string, Set<string>>();
  readonly #watchers = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes what was said of a text; what was said of it before is replaced. */
  take(path: string, text: string, now: readonly FileDiagnostic[]): void {
    const before = this.#said.get(path) ?? [];
    const same = before.find((one) => one.textDocument.getText() === text);
    const sources = this.#sources.get(path) ?? new Set();
    for (const { source } of now) if (source !== undefined) sources.add(source);
    this.#sources.set(path, sources);
    const textDocument = same?.textDocument ?? TextDocument.create(path, '', before.length, text);
    const tracked = this.#follow(same ?? before.at(-1), { textDocument, now });
    const rest = before.filter((one) => one !== same).slice(1 - MAX_TEXTS);
    this.#said.set(path, [...rest, { textDocument, now, tracked, atMs: this.#clock.now() }]);
    for (const watcher of this.#watchers) watcher();
  }

  of(path: string, text: string): Finding | undefined {
    return this.#said.get(path)?.find((one) => one.textDocument.getText() === text);
  }

  /** Puts what is new in a text since another one down to an edit. */
  attribute(
    path: string,
    { before, after, edits, origin }: { before: Finding; after: Finding; edits: readonly SpanEdit[]; origin: Origin },
  ): ReturnType<typeof compareDiagnostics> {
    const delta = compareDiagnostics({
      baseline: before.tracked,
      steps: [{ before: before.textDocument, edits }],
      after: after.textDocument,
      now: after.now,
      origin,
    });
    const said = this.#said.get(path) ?? [];
    this.#said.set(
      path,
      said.map((one) => (one.textDocument === after.textDocument ? { ...one, tracked: delta.tracked } : one)),
    );
    return delta;
  }

  /** Milliseconds until a text has been spoken of for good: 0 where it has, `undefined` where nothing was said yet. */
  settlesIn(path: string, text: string): number | undefined {
    const said = this.#said.get(path)?.find((one) => one.textDocument.getText() === text);
    if (!said) return undefined;
    const sources = [...(this.#sources.get(path) ?? [])];
    const isScript = /\.[cm]?[jt]sx?$/.test(path);
    const known = sources.map((source) => SETTLE_MS[source] ?? DEFAULT_SETTLE_MS);
    const settleMs = Math.max(...known, isScript ? (SETTLE_MS.ts ?? 0) : 0) || DEFAULT_SETTLE_MS;
    return Math.max(0, said.atMs + settleMs - this.#clock.now());
  }

  /** Settles when a text has been spoken of for good (`true`), when another took its place, or when the signal aborts. */
  async settled(path: string, text: string, until: { isCurrent(): boolean; signal: AbortSignal }): Promise<boolean> {
    for (;;) {
      const leftMs = this.settlesIn(path, text);
      if (leftMs === 0) return true;
      if (until.signal.aborted || !until.isCurrent()) return false;
      await this.#nextNews(leftMs, until.signal);
    }
  }

  /** Whoever waits looks again: a buffer changed or went. */
  lookAgain(): void {
    for (const watcher of this.#watchers) watcher();
  }

  forget(path: string): void {
    this.#said.delete(path);
    this.lookAgain();
  }

  #nextNews(ms: number | undefined, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#watchers.delete(end);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(end, ms + 1);
      this.#watchers.add(end);
      signal.addEventListener('abort', end);
    });
  }

  #follow(before: Finding | undefined, after: Pick<Finding, 'textDocument' | 'now'>): readonly Tracked[] {
    const old = before?.textDocument.getText();
    const text = after.textDocument.getText();
    const steps =
      before && old !== undefined && old !== text
        ? [{ before: before.textDocument, edits: [differenceOf(old, text)] }]
        : [];
    return compareDiagnostics({
      baseline: before?.tracked ?? [],
      steps,
      after: after.textDocument,
      now: after.now,
      origin: undefined,
    }).tracked;
  }
}
