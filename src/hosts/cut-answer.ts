import { characterStart } from '../workspace/truncation.ts';

/** Of what is kept, the part at the end: the last lines say how a long answer came out. */
const TAIL_SHARE = 0.2;

/**
 * A text of at most about `max` UTF-16 units: the beginning and the end, with how much is left out between them. Hosts
 * that cut themselves keep the beginning alone, and say so to nobody.
 */
export function cutAnswer(text: string, max: number): string {
  if (text.length <= max) return text;
  const tailStart = characterStart(text, text.length - Math.floor(max * TAIL_SHARE));
  const headEnd = characterStart(text, max - (text.length - tailStart));
  const left = tailStart - headEnd;
  const notice = `… ${left} characters left out: ask for less at once (offset and limit, a narrower pattern or path) …`;
  return `${text.slice(0, headEnd)}\n${notice}\n${text.slice(tailStart)}`;
}
