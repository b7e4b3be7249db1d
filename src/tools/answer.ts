import type { Receipt } from '../broker/receipt.ts';
import { type Refusal, refusalText } from '../broker/refusal.ts';
import type { ToolCall, ToolResult } from './tool.ts';

/** What a receipt says beyond who, when and whether it went well. */
export type Facts = Partial<Omit<Receipt, 'id' | 'tool' | 'ok' | 'code' | 'ms'>>;

/** Makes the one result of a call that changes no file itself, and times it from here on. */
export interface Answer {
  /** Has the receipt's id fetched now, while something else is waited for. */
  prepare(): void;
  ok(text: string, facts?: Facts, images?: ToolResult['images']): Promise<ToolResult>;
  refused(refusal: Pick<Refusal, 'code' | 'message'>, facts?: Facts): Promise<ToolResult>;
}

/** Starts the clock of a call. Its receipt gets a number when it is first asked for. */
export function beginAnswer(call: ToolCall, tool: string): Answer {
  const { clock } = call.session.root;
  const startedAt = clock.now();
  let id: Promise<string> | undefined;
  const idOf = (): Promise<string> => {
    id ??= call.session.root.nextReceiptId();
    return id;
  };
  const receipt = async (ok: boolean, facts: Facts): Promise<Receipt> => ({
    id: await idOf(),
    tool,
    ok,
    ms: Math.round(clock.now() - startedAt),
    files: [],
    ...facts,
  });
  return {
    // Whoever needs the id meets what went wrong.
    prepare: () => void idOf().catch(() => {}),
    async ok(text, facts = {}, images) {
      return { ok: true, text, receipt: await receipt(true, facts), ...(images ? { images } : {}) };
    },
    async refused(refusal, facts = {}) {
      const text = refusalText(refusal);
      return { ok: false, text, receipt: { ...(await receipt(false, facts)), code: refusal.code } };
    },
  };
}
