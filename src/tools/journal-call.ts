import { journalRecordOf } from '../broker/journal-record.ts';
import type { Session } from '../broker/session.ts';
import { saysFirst } from '../broker/session.ts';
import type { ToolResult } from './tool.ts';

/**
 * Puts a call into the journal of its root, and gives its result as a host sees it. A journal that can't be written is
 * no reason for a call to fail; it is said once.
 */
export async function journalCall(
  session: Session,
  request: { readonly name: string; readonly args: unknown },
  result: ToolResult,
): Promise<ToolResult> {
  const { looked = [], ...shown } = result;
  const { kept, clock, root, version } = session.root;
  try {
    const text = Buffer.from(result.text);
    const record = journalRecordOf({
      emend: version,
      time: clock.date().toISOString(),
      root,
      session: session.id,
      called: request.name,
      args: await kept.blobs.put(Buffer.from(JSON.stringify(request.args ?? null)), 'plain'),
      result: await kept.blobs.put(text, 'plain'),
      receipt: result.receipt,
      looked,
      shownBytes: text.length,
    });
    await kept.journal.append(JSON.stringify(record));
    return shown;
  } catch (error) {
    if (!saysFirst(session, 'no journal')) return shown;
    const why = error instanceof Error ? error.message : String(error);
    return { ...shown, text: `${shown.text}\nnote: the journal can not be written (${why})` };
  }
}
