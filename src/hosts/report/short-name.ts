import { shortened } from '../../workspace/truncation.ts';
import { visibleControls } from '../../workspace/visible-text.ts';

/** Marks that turn the direction of the text around them. */
const TURNING = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text of a journal as it may stand in a report: of bounded length, without characters that act on their neighbours. */
export function shortName(text: string, maxLength: number): string {
  const cut = shortened(text, maxLength);
  const plain = visibleControls(cut).replace(
    TURNING,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  // Half a character can't be written.
  return plain.replace(/[\ud800-\udfff]/gu, '\ufffd');
}
