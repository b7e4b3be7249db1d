import type { SpanEdit } from '../workspace/span.ts';
import { lineEdits } from './merge/line-edits.ts';

/**
 * A whole new text as the edits that lead to it, in order and not overlapping: lines that stay are not rewritten.
 * Law: `applySpanEdits(text, planWrite(text, newText)) === newText`.
 */
export function planWrite(text: string, newText: string): readonly SpanEdit[] {
  return lineEdits(text, newText);
}
