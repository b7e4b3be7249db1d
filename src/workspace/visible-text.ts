/** Bytes as a text that can be shown and sent anywhere: what is no UTF-8 becomes `\xff`, control characters `\x1b`. */
export function visibleBytes(bytes: Uint8Array): string {
  return visibleControls(decodeEscaped(bytes));
}

/** Control characters other than tab and newline as escapes: `\0`, `\x1b`. */
export function visibleControls(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, (control) =>
    control === '\0' ? '\\0' : `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** UTF-8 as it is, each byte that is none as `\xff`. */
export function decodeEscaped(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    let text = '';
    let start = 0;
    for (let at = 0; at < bytes.length; ) {
      const length = characterLength(bytes, at);
      if (length > 0) {
        at += length;
        continue;
      }
      text += `${utf8(bytes.subarray(start, at))}\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`;
      at++;
      start = at;
    }
    return text + utf8(bytes.subarray(start));
  }
}

/** Bytes of the UTF-8 character that begins at `at`; 0 where none does. */
function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || lead > 0xf4 || at + length > bytes.length) return 0;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}

function utf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
