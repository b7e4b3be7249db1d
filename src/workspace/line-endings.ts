/** How the lines of a text end; `mixed` where not all end alike. A text without any line end counts as `lf`. */
export type LineEndings = 'lf' | 'crlf' | 'cr' | 'mixed';

/** The kind of line ends that a text has. */
export function lineEndingsOf(text: string): LineEndings {
  const { lf, crlf, cr } = countLineEndings(text);
  if (crlf === 0 && cr === 0) return 'lf';
  if (lf === 0 && cr === 0) return 'crlf';
  return lf === 0 && crlf === 0 ? 'cr' : 'mixed';
}

/** How many line ends of each kind there are; the two characters of a CRLF are one. */
export function countLineEndings(text: string): { readonly lf: number; readonly crlf: number; readonly cr: number } {
  let lf = 0;
  let crlf = 0;
  let cr = 0;
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lf += 1;
    return { lf, crlf, cr };
  }
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 10) lf += 1;
    if (unit !== 13) continue;
    if (text.charCodeAt(at + 1) === 10) {
      crlf += 1;
      at += 1;
    } else cr += 1;
  }
  return { lf, crlf, cr };
}

/** The characters of one kind of line end. */
function lineEndingText(kind: Exclude<LineEndings, 'mixed'>): string {
  return { lf: '\n', crlf: '\r\n', cr: '\r' }[kind];
}

/** A text whose every line end is of one kind. For content that is new as a whole, never for what stands in a file. */
export function withLineEndings(text: string, kind: Exclude<LineEndings, 'mixed'>): string {
  return text.replace(/\r\n|\r|\n/g, lineEndingText(kind));
}

/**
 * Content that is to take the place of a text: where that text has one kind of line end and the content has only LF,
 * it takes that kind; else it stays as it was given.
 */
export function likeTheOld(content: string, old: string): string {
  const kind = lineEndingsOf(old);
  return kind === 'mixed' || content.includes('\r') || !/[\r\n]/.test(old) ? content : withLineEndings(content, kind);
}
