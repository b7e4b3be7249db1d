/** Share of control bytes above which bytes are no text in any encoding. */
const MAX_CONTROL_SHARE = 0.02;

/** Whether bytes that are not Unicode are no text at all. High bytes are no sign of it; NUL and control bytes are. */
export function looksBinary(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes) {
    if (byte === 0) return true;
    if (byte < 0x20 && !isTextControl(byte)) controls += 1;
    else if (byte === 0x7f) controls += 1;
  }
  return controls > bytes.length * MAX_CONTROL_SHARE;
}

/** Backspace to carriage return, and escape. */
function isTextControl(byte: number): boolean {
  return (byte >= 8 && byte <= 13) || byte === 0x1b;
}
