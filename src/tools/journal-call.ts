import { journalRecordOf, type SeenFile, type UnkeptFile } from '../broker/journal-record.ts';
import type { Session } from '../broker/session.ts';
import { saysFirst } from '../broker/session.ts';
import { leftByCommand, noteKnown } from './left-by-command.ts';
import type { LookedAt, ToolResult } from './tool.ts';

/**
 * Puts a call into the journal of its root, and gives its result as a host sees it. A journal that can't be written is
 * no reason for a call to fail; it is said once.
 */
export async function journalCall(
  session: Session,
  request: { readonly name: string; readonly args: unknown },
  result: ToolResult,
): Promise<ToolResult> {
  const { looked: seen = [], ...shown } = result;
  const { kept, clock, root, version } = session.root;
  try {
    const text = Buffer.from(result.text);
    const { tool, ok, exit } = result.receipt;
    const [args, answer, { looked, unkept }] = await Promise.all([
      kept.blobs.put(Buffer.from(JSON.stringify(request.args ?? null)), 'plain'),
      kept.blobs.put(text, 'plain'),
      keepSeen(session, seen),
    ]);
    const left = tool === 'Bash' && (ok || exit) ? await leftByCommand(session, result.receipt) : undefined;
    const record = journalRecordOf({
      emend: version,
      time: clock.date().toISOString(),
      root,
      session: session.id,
      called: request.name,
      args,
      result: answer,
      receipt: result.receipt,
      looked,
      unkept,
      left,
      shownBytes: text.length,
    });
    await kept.journal.append(JSON.stringify(record));
    noteKnown(session, record);
    return shown;
  } catch (error) {
    if (!saysFirst(session, 'no journal')) return shown;
    const why = error instanceof Error ? error.message : String(error);
    return { ...shown, text: `${shown.text}\nnote: the journal can not be written (${why})` };
  }
}

async function keepSeen(
  { root }: Session,
  seen: readonly LookedAt[],
): Promise<{ readonly looked: SeenFile[]; readonly unkept: UnkeptFile[] }> {
  const looked: SeenFile[] = [];
  const unkept: UnkeptFile[] = [];
  for (const each of seen) {
    if ('why' in each) unkept.push(each);
    else if ('sha256' in each) looked.push(each);
    else looked.push({ path: each.path, sha256: await root.kept.blobs.put(each.bytes, 'plain') });
  }
  return { looked, unkept };
}
