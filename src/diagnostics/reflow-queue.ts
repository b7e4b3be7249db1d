import { buildReport } from './build-report.ts';
import type { Tracked } from './delta.ts';
import type { Reflow } from './diagnostics-board.ts';
import type { FileLedger, FileNews } from './file-ledger.ts';
import type { ServerAnswer, Severity } from './report.ts';

/** The session of changes that are only tried: what comes late of them is handed to none. */
export const NOBODY = '';

/** A late answer of one server to one change of one session. */
export interface LateNews {
  readonly session: string;
  readonly receipt: string;
  readonly desk: { isPending(path: string): boolean; readonly ledger: Pick<FileLedger, 'known'> };
  readonly news: readonly FileNews[];
  readonly server: ServerAnswer;
}

/**
 * Late answers until they are handed out, each once, and only as far as they are still true: a file that changed since
 * is waited for, a finding that is gone or that a newer answer told already is left out.
 */
export class ReflowQueue {
  #late: LateNews[] = [];
  readonly #told = new Map<string, Set<number>>();

  /** One answer may serve several changes of a session; the last of them tells it. */
  add(late: LateNews): void {
    if (late.session === NOBODY) return;
    this.#late = [...withoutNews(this.#late, late.session, late.news), late];
  }

  /** Remembers what a session was told at once, so that it is not told again. */
  tell(session: string, news: readonly FileNews[]): void {
    if (session === NOBODY) return;
    const told = this.#told.get(session) ?? new Set<number>();
    this.#told.set(session, told);
    for (const { tracked } of news) for (const { id } of tracked) told.add(id);
    this.#late = withoutNews(this.#late, session, news);
  }

  take(session: string, severity: Severity): readonly Reflow[] {
    const due = this.#late.filter(
      (late) => late.session === session && !late.news.some(({ path }) => late.desk.isPending(path)),
    );
    this.#late = this.#late.filter((late) => !due.includes(late));
    const told: FileNews[] = [];
    const reflow = [...new Set(due.map(({ receipt }) => receipt))].map((receipt) => {
      const group = due.filter((late) => late.receipt === receipt);
      const news = group.flatMap((late) => late.news.map((item) => this.#stillTrue(item, late)));
      told.push(...news);
      const servers = group.map(({ server }) => server);
      return { receipt, report: buildReport({ session, news, servers, severity, ms: 0 }) };
    });
    this.tell(session, told);
    return reflow;
  }

  #stillTrue(news: FileNews, late: LateNews): FileNews {
    const now = new Map(late.desk.ledger.known(news.path)?.tracked.map((tracked) => [tracked.id, tracked]));
    const told = this.#told.get(late.session);
    const present = (tracked: readonly Tracked[]): readonly Tracked[] =>
      tracked.flatMap(({ id }) => now.get(id) ?? []).filter(({ id }) => !told?.has(id));
    return { ...news, introduced: present(news.introduced), tracked: [...now.values()] };
  }
}

/** Takes from a session's late answers what is told elsewhere; one of which nothing is left goes. */
function withoutNews(queue: readonly LateNews[], session: string, told: readonly FileNews[]): LateNews[] {
  return queue.flatMap((late) => {
    if (late.session !== session || !late.news.some((item) => told.includes(item))) return [late];
    const news = late.news.filter((item) => !told.includes(item));
    return news.length === 0 ? [] : [{ ...late, news }];
  });
}
