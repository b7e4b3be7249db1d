/**
 * The same as `align` where that would cost too much, in one pass: elements that both sides have once are paired in
 * their longest common order, then what is equal beside a pair. Others stay unpaired (-1).
 */
export function alignRare(a: Int32Array, b: Int32Array): Int32Array {
  const pairs = new Int32Array(a.length).fill(-1);
  const places = new Map<number, { from: number; to: number }>();
  const note = (sequence: Int32Array, side: 'from' | 'to'): void => {
    for (const [index, value] of sequence.entries()) {
      const place = places.get(value) ?? { from: ABSENT, to: ABSENT };
      place[side] = place[side] === ABSENT ? index : OFTEN;
      places.set(value, place);
    }
  };
  note(a, 'from');
  note(b, 'to');
  for (const [from, to] of inOrder([...places.values()].filter(({ from, to }) => from >= 0 && to >= 0)))
    pairs[from] = to;
  for (let i = 1; i < a.length; i++) {
    const next = (pairs[i - 1] ?? -1) + 1;
    if ((pairs[i] ?? -1) < 0 && next > 0 && next < b.length && a[i] === b[next]) pairs[i] = next;
  }
  const before = pairsBefore(pairs);
  let above = b.length;
  for (let i = a.length - 1; i >= 0; i--) {
    const pair = pairs[i] ?? -1;
    if (pair >= above) pairs[i] = -1;
    else if (pair >= 0) above = pair;
    else if (above > 0 && above < b.length && a[i] === b[above - 1] && (before[i] ?? -1) < above - 1) {
      above -= 1;
      pairs[i] = above;
    }
  }
  return pairs;
}

const ABSENT = -1;
const OFTEN = -2;

/** For each element the pair of the nearest one before it that has one, else -1. */
function pairsBefore(pairs: Int32Array): Int32Array {
  const before = new Int32Array(pairs.length).fill(-1);
  for (let i = 1; i < pairs.length; i++) {
    const pair = pairs[i - 1] ?? -1;
    before[i] = pair >= 0 ? pair : (before[i - 1] ?? -1);
  }
  return before;
}

/** The longest run of places, in the order of `from`, whose `to` rises. */
function inOrder(
  places: readonly { readonly from: number; readonly to: number }[],
): readonly (readonly [number, number])[] {
  const ends: number[] = [];
  const before = new Int32Array(places.length).fill(-1);
  for (const [index, { to }] of places.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[ends[middle] ?? 0]?.to ?? 0) < to) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const run: (readonly [number, number])[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const place = places[index];
    if (place) run.push([place.from, place.to]);
  }
  return run.reverse();
}
