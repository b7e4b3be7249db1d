/** Control characters other than tab and newline as escapes: `\0`, `\x1b`. */
export function visibleControls(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, (control) =>
    control === '\0' ? '\\0' : `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** What somebody else's program says, with marks of direction as escapes too: `\u202e`. */
export function visibleMessage(text: string): string {
  return visibleControls(text).replace(
    /[\u202a-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const NAMED: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0', '\b': '\\b' };
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * A name of a file on one line: each control character, line separator and mark of direction as an escape, so that no
 * name looks like two or like another one: `\n`, `\x1b`, `\u202e`.
 */
export function visibleName(name: string): string {
  return name.replace(CONTROLS, (control) => {
    const code = control.charCodeAt(0).toString(16);
    return NAMED[control] ?? (control > '\x7f' ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`);
  });
}

/** The name that `visibleName` shows so; a text without its escapes as it is. */
export function nameShownAs(shown: string): string {
  return shown.replace(/\\(?:[tnrb]|x[01][0-9a-f]|x7f|u[0-9a-f]{4})/g, (written) => {
    const named = Object.entries(NAMED).find(([, as]) => as === written)?.[0];
    const control = named ?? String.fromCharCode(Number.parseInt(written.slice(2), 16));
    return visibleName(control) === written ? control : written;
  });
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
