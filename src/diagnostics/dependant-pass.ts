import type { Origin } from './delta.ts';
import type { FileChange } from './file-change.ts';
import type { FileNews } from './file-ledger.ts';
import type { AnswersBefore } from './look-ahead.ts';

const GOAL_MS = 150;
const MAX_CHUNK = 16;

/** The look at other files after one round of changes: how far it is, and what it found. */
export class DependantPass {
  readonly changes: readonly FileChange[];
  readonly origin: Origin;
  /** The server's epoch before the changes went out: what was known of another file then is its baseline. */
  readonly epochBefore: number;
  readonly before: AnswersBefore;
  /** Settles when nothing more will come. */
  readonly done: Promise<void>;
  readonly #names: () => Promise<ReadonlySet<string>>;
  #resolve: () => void = () => {};
  #left: readonly string[] | undefined;
  #news: readonly FileNews[] = [];
  #beyond = 0;
  #isOver = false;
  #chunk = 2;

  constructor(options: {
    readonly changes: readonly FileChange[];
    readonly origin: Origin;
    readonly epochBefore: number;
    readonly before: AnswersBefore;
    readonly names: () => Promise<ReadonlySet<string>>;
  }) {
    this.changes = options.changes;
    this.origin = options.origin;
    this.epochBefore = options.epochBefore;
    this.before = options.before;
    this.#names = options.names;
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Files that are known to depend on the changes and were not looked at. */
  get unchecked(): number {
    return (this.#left?.length ?? 0) + this.#beyond;
  }

  /** Of the files that were looked at, those about which there is something to say. */
  get news(): readonly FileNews[] {
    return this.#news;
  }

  /** The names that the changes touched, once the server has the texts after. */
  names(): Promise<ReadonlySet<string>> {
    return this.#names();
  }

  /** Whether it is not known yet which files those are. */
  get isSeeking(): boolean {
    return !this.#isOver && !this.hasFiles;
  }

  get hasFiles(): boolean {
    return this.#left !== undefined;
  }

  /** At most `most` of the files are looked at; those beyond stay unchecked. */
  setFiles(files: readonly string[], most: number): void {
    this.#left = files.slice(0, most);
    this.#beyond = files.length - this.#left.length;
    if (files.length === 0) this.end();
  }

  /** The next files; they count as unchecked until `found` is called for them. */
  next(): readonly string[] {
    return this.#left?.slice(0, this.#chunk) ?? [];
  }

  /** `ms`: how long these took. The next are so many that a change which comes meanwhile need not wait long. */
  found(files: readonly string[], news: readonly FileNews[], ms: number): void {
    if (ms < GOAL_MS) this.#chunk = Math.min(MAX_CHUNK, this.#chunk * 2);
    else if (ms > 2 * GOAL_MS) this.#chunk = Math.ceil(this.#chunk / 2);
    this.#left = this.#left?.filter((path) => !files.includes(path));
    this.#news = [...this.#news, ...news];
    if (this.#left?.length === 0) this.end();
  }

  /** So many files can't be judged any more; they stay unchecked. */
  leave(count: number): void {
    this.#beyond += count;
  }

  end(): void {
    this.#isOver = true;
    this.#resolve();
  }
}
