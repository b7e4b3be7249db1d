/** A seeded source of chance: the same seed gives the same numbers. */
export interface Random {
  /** 0 ≤ x < 1. */
  next(): number;
  /** A whole number, both ends included. */
  int(low: number, high: number): number;
  pick<T>(list: readonly T[]): T | undefined;
  chance(share: number): boolean;
}

/** xorshift32 over a hash of the seed. */
export function seeded(seed: string): Random {
  let state = 0x9e3779b9;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x85ebca6b) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
  for (let i = 0; i < 8; i++) next();
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return { next, int, pick: (list) => list[int(0, list.length - 1)], chance: (share) => next() < share };
}
