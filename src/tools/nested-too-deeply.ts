/** No tool takes more than a list of objects; what calls itself for each level has room for a thousand or so. */
const MAX_LEVELS = 64;

/** Whether arrays and objects stand in each other more than 64 times. */
export function isNestedTooDeeply(value: unknown): boolean {
  const seen = new Set<object>();
  let level = [value];
  for (let depth = 0; depth <= MAX_LEVELS; depth += 1) {
    const inner: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null || seen.has(one)) continue;
      seen.add(one);
      for (const member of Object.values(one)) if (typeof member === 'object' && member !== null) inner.push(member);
    }
    if (inner.length === 0) return false;
    level = inner;
  }
  return true;
}
