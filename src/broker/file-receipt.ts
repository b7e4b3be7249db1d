import { lineEndingsOf } from '../workspace/line-endings.ts';
import type { LandedChange } from './land-change.ts';
import type { FileReceipt } from './receipt.ts';
import { snippetOf } from './snippet.ts';
import { unifiedDiff } from './unified-diff.ts';

/** The part of a receipt that tells of one file. */
export function fileReceipt(landed: LandedChange): FileReceipt {
  const { planned, hunks } = landed;
  const { diff, cut } = unifiedDiff(landed.shown, landed.beforeDocument, hunks);
  return {
    path: landed.shown,
    op: landed.before ? 'edit' : 'create',
    added: hunks.reduce((sum, hunk) => sum + hunk.added.length, 0),
    removed: hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0),
    sha256: landed.sha256,
    encoding: landed.after.form.encoding,
    eol: lineEndingsOf(landed.after.text),
    ...(planned.matchedVia && { matched_via: planned.matchedVia }),
    ...(planned.kept && planned.kept.length > 0 && { kept: planned.kept }),
    hunks: hunks.map((hunk, index) => ({ old: hunk.old, new: hunk.new, bytes: landed.byteRanges[index] ?? [0, 0] })),
    diff,
    ...(cut > 0 && { diff_cut: cut }),
    snippet: snippetOf(landed.after.textDocument, hunks),
  };
}
