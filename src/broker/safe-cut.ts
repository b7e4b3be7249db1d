/** The first so many UTF-16 units of a text, or one fewer: never half of a surrogate pair. */
export function safeCut(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}
