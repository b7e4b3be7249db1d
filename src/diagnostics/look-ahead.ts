import { languageIdOf } from '../workspace/document-snapshot.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { Answered } from './ask-diagnostics.ts';
import { moduleName } from './module-name.ts';
import type { OtherFiles } from './other-files.ts';

/** What a server said of files before the changes of a round went out, by path; not whole: there was no time for all. */
export interface AnswersBefore {
  readonly answers: ReadonlyMap<string, Answered>;
  readonly isWhole: boolean;
}

/** Milliseconds that a change waits for it at most. */
export const AHEAD_MS = 1000;
const CHUNK = 8;
/** Older answers are of another world. */
const KEPT_MS = 10_000;
const MAX_KEPT = 8;

type Ask = (paths: readonly string[]) => Promise<readonly { readonly path: string; readonly answer: Answered }[]>;

/**
 * What is said of the files that name one which comes or goes, while it has not: afterwards a server can't be shown what
 * there was, as it can be shown an old text, and some see the disk before they are told.
 */
export class LookAhead {
  readonly #server: LanguageServer;
  readonly #files: OtherFiles;
  readonly #ask: Ask;
  readonly #kept = new Map<string, { readonly at: number; readonly before: AnswersBefore }>();

  constructor(server: LanguageServer, files: OtherFiles, ask: Ask) {
    this.#server = server;
    this.#files = files;
    this.#ask = ask;
  }

  /** Asks before these files come or go. @throws ServerFailure */
  async look(paths: readonly string[]): Promise<void> {
    const before = await this.ask(paths);
    this.#kept.set(keyOf(paths), { at: this.#server.clock.now(), before });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** What was said ahead of this change, once. */
  take(paths: readonly string[]): AnswersBefore | undefined {
    const kept = this.#kept.get(keyOf(paths));
    this.#kept.delete(keyOf(paths));
    return kept && this.#server.clock.now() - kept.at < KEPT_MS ? kept.before : undefined;
  }

  /** As far as the time for it goes. @throws ServerFailure */
  async ask(paths: readonly string[]): Promise<AnswersBefore> {
    const { clock, resolved } = this.#server;
    const deadline = clock.now() + AHEAD_MS;
    const names = paths.map(moduleName);
    const mentions = await this.#files.mentioning(resolved.root, names, names);
    const others = mentions.filter(
      (path) => !paths.includes(path) && resolved.definition.languages.includes(languageIdOf(path)),
    );
    const answers = new Map<string, Answered>();
    let next = 0;
    for (; next < others.length && clock.now() < deadline; next += CHUNK) {
      for (const { path, answer } of await this.#ask(others.slice(next, next + CHUNK))) answers.set(path, answer);
    }
    return { answers, isWhole: next >= others.length };
  }
}

function keyOf(paths: readonly string[]): string {
  return [...paths].sort().join('\0');
}
