/**
 * The first `limit` of paths that come newest first, with ties in the order of their paths: a checkout gives thousands
 * of files one time, and which of them are shown must not change from call to call.
 *
 * Only as many times are asked for as it takes: of the paths shown, and along the last tie by halving.
 */
export async function newestFirst(
  paths: readonly string[],
  limit: number,
  modified: (path: string) => Promise<number>,
): Promise<readonly string[]> {
  const known = new Map<number, Promise<number>>();
  const timeAt = (at: number): Promise<number> => {
    const time = known.get(at) ?? modified(paths[at] ?? '');
    known.set(at, time);
    return time;
  };
  const result: string[] = [];
  while (result.length < limit && result.length < paths.length) {
    const start = result.length;
    const end = await tieEnd(start, paths.length, timeAt);
    result.push(...paths.slice(start, end).sort());
  }
  return result.slice(0, limit);
}

/** One past the last path with the same time as the one at `start`. The steps double, then halve. */
async function tieEnd(start: number, length: number, timeAt: (at: number) => Promise<number>): Promise<number> {
  const time = await timeAt(start);
  let same = start;
  let step = 1;
  while (same + step < length && (await timeAt(same + step)) === time) {
    same += step;
    step *= 2;
  }
  let other = Math.min(same + step, length);
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if ((await timeAt(middle)) === time) same = middle;
    else other = middle;
  }
  return other;
}
