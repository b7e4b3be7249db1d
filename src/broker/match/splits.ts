/** Whether an offset lies between `\r` and `\n`, or between the halves of a surrogate pair. */
export function splits(text: string, offset: number): boolean {
  const [left, right] = [text.charCodeAt(offset - 1), text.charCodeAt(offset)];
  return (left === 13 && right === 10) || (left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff);
}
