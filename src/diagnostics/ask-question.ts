import type { Clock } from '../workspace/clock.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import { within } from './desk-wait.ts';
import type { Question, Reply } from './question.ts';
import type { ServerActivity } from './server-activity.ts';
import type { ServerDesk } from './server-desk.ts';

/** What a server calls its version may be anything. */
const MAX_VERSION = 200;

/** A server that can be asked. */
interface Respondent {
  readonly desk: ServerDesk;
  readonly activity: ServerActivity;
}

type Told<T> = Exclude<Reply<T>, { readonly status: 'pending' | 'none' }>;

/** Asks the first of these servers that can answer; what comes too late is dropped. */
export async function askQuestion<T>(
  respondents: readonly Respondent[],
  question: Question<T>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<Reply<T>> {
  const began = clock.now();
  let last: Told<T> | undefined;
  for (const respondent of respondents) {
    const { server } = respondent.desk;
    const asking = { isOver: false };
    const leftMs = question.budgetMs - (clock.now() - began);
    const told = await within(askOne(respondent, question, asking), leftMs, signal);
    asking.isOver = true;
    if (!told) {
      const sinceMs = clock.now() - began;
      return { status: 'pending', server: nameOf(server), reason: whyLate(respondent), sinceMs };
    }
    if (told.status === 'answered') return told;
    last ??= told;
  }
  return last ?? { status: 'none', reasons: [] };
}

async function askOne<T>(
  { desk, activity }: Respondent,
  question: Question<T>,
  asking: { readonly isOver: boolean },
): Promise<Told<T>> {
  const { server } = desk;
  const told = (): Promise<Told<T>> =>
    desk.converse(async () => {
      const session = server.session ?? (await server.ready());
      if (asking.isOver) return unavailable(server, 'it was asked too late');
      if (!session.capabilities[question.needs]) {
        return unavailable(server, `it does not offer ${question.needs.replace(/Provider$/, '')}`);
      }
      const objection = server.isSound ? undefined : await server.objection();
      if (objection !== undefined) return unavailable(server, objection);
      return { status: 'answered', server: nameOf(server), answer: await question.ask(server, session) };
    }, question.when);
  try {
    for (;;) {
      const wasBusy = activity.title !== undefined;
      const answer = await told();
      const isBelieved = answer.status !== 'answered' || !question.isEmpty(answer.answer);
      if (isBelieved || asking.isOver || (!wasBusy && activity.title === undefined)) return answer;
      await activity.idle();
    }
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error;
    return unavailable(server, error.message);
  }
}

function unavailable<T>(server: LanguageServer, reason: string): Told<T> {
  return { status: 'unavailable', server: nameOf(server), reason };
}

function nameOf({ resolved, session }: LanguageServer): string {
  // Some put a whole line about the machine where the version belongs.
  const version = /\d+(?:\.\d+)+/.exec((resolved.version ?? session?.serverVersion ?? '').slice(0, MAX_VERSION))?.[0];
  return version === undefined ? resolved.definition.name : `${resolved.definition.name} ${version}`;
}

function whyLate({ desk, activity }: Respondent): string {
  const { state } = desk.server;
  switch (state.status) {
    case 'stopped':
    case 'starting':
      return 'starting';
    case 'failed':
      return `starting again (${state.reason})`;
    case 'running':
      return activity.title === undefined ? 'loading or busy' : `loading (${activity.title})`;
  }
}
