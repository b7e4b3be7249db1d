import { lineEndingsOf } from '../workspace/line-endings.ts';
import type { LandedFile } from './landed-file.ts';
import type { FileReceipt } from './receipt.ts';
import { snippetOf } from './snippet.ts';
import { unifiedDiff } from './unified-diff.ts';

/** The part of a receipt that tells of one file. */
export function fileReceipt(landed: LandedFile): FileReceipt {
  const { planned, hunks } = landed;
  const { matchedVia = undefined, kept = [] } = planned.op === 'remove' ? {} : planned;
  const { diff, cut } = unifiedDiff(landed.shown, landed.beforeDocument, hunks);
  const snapshot = landed.after ?? landed.before;
  return {
    path: landed.shown,
    op: landed.op,
    ...(planned.file.link !== undefined && { link: planned.file.link }),
    ...(landed.from !== undefined && { from: landed.from }),
    added: hunks.reduce((sum, hunk) => sum + hunk.added.length, 0),
    removed: hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0),
    sha256: landed.sha256,
    encoding: snapshot?.form.encoding ?? 'binary',
    eol: lineEndingsOf(snapshot?.text ?? ''),
    ...(matchedVia && { matched_via: matchedVia }),
    ...(kept.length > 0 && { kept }),
    hunks: hunks.map((hunk, index) => ({ old: hunk.old, new: hunk.new, bytes: landed.byteRanges[index] ?? [0, 0] })),
    diff,
    ...(cut > 0 && { diff_cut: cut }),
    ...(landed.after && { snippet: snippetOf(landed.after.textDocument, hunks) }),
  };
}
