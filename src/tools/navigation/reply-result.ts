import { type Refusal, refuse } from '../../broker/refusal.ts';
import type { Reply } from '../../diagnostics/question.ts';
import type { Answer } from '../answer.ts';
import type { ToolResult } from '../tool.ts';
import { isRefusal } from './ask-at.ts';

/** An answer that can be told, or the result that says why there is none. */
export type Answered<T> =
  | { readonly status: 'answered'; readonly server: string; readonly answer: T }
  | { readonly status: 'over'; readonly result: Promise<ToolResult> };

/** Tells what has no answer: no server, one that is still loading, one that can't, a refusal. */
export function answeredOr<T>(
  reply: Reply<T | Refusal>,
  { answer, languageId }: { readonly answer: Answer; readonly languageId: string },
): Answered<T> {
  switch (reply.status) {
    case 'answered':
      return isRefusal(reply.answer)
        ? { status: 'over', result: answer.refused(reply.answer) }
        : { status: 'answered', server: reply.server, answer: reply.answer };
    case 'pending':
      return { status: 'over', result: answer.ok(pendingText(reply), { complete: false, why: 'pending' }) };
    case 'unavailable':
      return {
        status: 'over',
        result: answer.refused(refuse('unavailable', `${reply.server}: ${reply.reason.replace(/\.$/, '')}.`)),
      };
    case 'none': {
      const reasons = reply.reasons.length > 0 ? `: ${reply.reasons.join('; ')}` : '. Use Grep';
      return {
        status: 'over',
        result: answer.refused(refuse('unavailable', `no language server for ${languageId} here${reasons}.`)),
      };
    }
  }
}

/** Never worded as an absence: what is not known yet is not unused. */
export function pendingText({ server, reason, sinceMs }: Extract<Reply<unknown>, { status: 'pending' }>): string {
  return `pending: ${server} is ${reason}, ${(sinceMs / 1000).toFixed(1)} s; nothing is known yet. Ask again, or use Grep meanwhile.`;
}
