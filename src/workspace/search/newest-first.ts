/** Times that are asked for at once, where each file has its own. */
const MOST_AHEAD = 16;

/**
 * The first `limit` of paths that come newest first, with ties in the order of their paths: a checkout gives thousands
 * of files one time, and which of them are shown must not change from call to call.
 *
 * Only as many times are asked for as it takes: of the paths shown, and along the last tie by halving.
 */
export async function newestFirst(
  paths: Pick<readonly string[], 'length' | 'at' | 'slice'>,
  limit: number,
  modified: (path: string) => Promise<number>,
): Promise<readonly string[]> {
  const known = new Map<number, Promise<number>>();
  const timeAt = (at: number): Promise<number> => {
    const time = known.get(at) ?? settled(modified(paths.at(at) ?? ''));
    known.set(at, time);
    return time;
  };
  const result: string[] = [];
  let ahead = 1;
  while (result.length < limit && result.length < paths.length) {
    const start = result.length;
    for (let next = start; next < Math.min(start + ahead, limit, paths.length); next++) void timeAt(next);
    const end = await tieEnd(start, paths.length, timeAt);
    result.push(...paths.slice(start, end).sort());
    ahead = end === start + 1 ? Math.min(2 * ahead, MOST_AHEAD) : 1;
  }
  return result.slice(0, limit);
}

/** A failure counts where it is waited for; what was asked ahead may never be. */
function settled<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {});
  return answer;
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
