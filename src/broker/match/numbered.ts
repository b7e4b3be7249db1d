/** Numbers for texts, the same number for the same text on both sides: what `align` compares. */
export function numbered(a: readonly string[], b: readonly string[]): readonly [Int32Array, Int32Array] {
  const ids = new Map<string, number>();
  const idOf = (text: string): number => {
    const id = ids.get(text) ?? ids.size;
    ids.set(text, id);
    return id;
  };
  return [Int32Array.from(a, idOf), Int32Array.from(b, idOf)];
}
