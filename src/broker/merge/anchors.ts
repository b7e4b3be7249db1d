import { type Comparison, type Lexed, tokenLines } from '../match/comparison.ts';

/** Where a token of new_string comes from: an index of the file's tokens, or one of these. */
export const WRITTEN = -1;
/** Kept of old_string, but the file has no such token. */
export const ABSENT = -2;

/** A token that new_string keeps and the file has, or one of both ends. */
export interface Anchor {
  /** Indices; -1 at the start, the count of tokens at the end. `old` is `undefined` where old_string has another word. */
  readonly now: number;
  readonly old: number | undefined;
  readonly file: number;
  /** Offsets in old_string and the 0-based line there; the ends' where `old` is `undefined`. */
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly oldLine: number;
  readonly nowStart: number;
  readonly nowEnd: number;
  readonly fileStart: number;
  readonly fileEnd: number;
  /** The blanks around it in old_string, up to the next token on either side. */
  readonly oldBefore: string | undefined;
  readonly oldAfter: string | undefined;
  readonly fileBefore: string;
  readonly fileAfter: string;
}

/** For each token of new_string the file's token that it stands for, `WRITTEN` or `ABSENT`. */
export function sourcesOf(compared: Comparison, now: Lexed, origins: Int32Array): Int32Array {
  const inFile = (pair: number): number => (pair < 0 ? ABSENT : pair);
  const sources = origins.map((origin) => (origin < 0 ? WRITTEN : inFile(compared.pairs[origin] ?? -1)));
  adoptEqual(compared, now, sources);
  adoptSpelling(compared, now, sources);
  return sources;
}

/** Words that new_string changes to what the file says already are the file's. */
function adoptEqual({ file, pairs }: Comparison, now: Lexed, sources: Int32Array): void {
  const paired = new Set(pairs);
  for (let first = 0; first < sources.length; ) {
    if (sources[first] !== WRITTEN) {
      first += 1;
      continue;
    }
    let end = first;
    while (end < sources.length && sources[end] === WRITTEN) end += 1;
    const from = first === 0 ? -1 : (sources[first - 1] ?? ABSENT);
    const to = end === sources.length ? file.length : (sources[end] ?? ABSENT);
    const count = end - first;
    if (from !== ABSENT && to - from - 1 === count && (count > 0 || paired.size > 0)) {
      const isSame = now.tokens.slice(first, end).every((token, k) => token.key === file[from + 1 + k]?.key);
      if (isSame) for (let k = 0; k < count; k++) sources[first + k] = from + 1 + k;
    }
    first = end;
  }
}

/** A misspelt word that new_string has right, beside a word that it keeps. */
function adoptSpelling({ file, pairs, misspelt }: Comparison, now: Lexed, sources: Int32Array): void {
  for (const index of misspelt) {
    const pair = pairs[index] ?? -1;
    const at = sources.findIndex(
      (source, k) =>
        source === WRITTEN &&
        now.tokens[k]?.key === file[pair]?.key &&
        (sources[k - 1] === pair - 1 || sources[k + 1] === pair + 1),
    );
    if (at >= 0 && !sources.includes(pair)) sources[at] = pair;
  }
}

/** The kept tokens in the order of new_string, between both ends. */
export function anchorsOf(
  compared: Comparison,
  now: Lexed,
  origins: Int32Array,
  sources: Int32Array,
): readonly Anchor[] {
  const { text, edges, old, file } = compared;
  const gapAfter = (list: Lexed, index: number): string =>
    list.text.slice(list.tokens[index]?.end ?? 0, list.tokens[index + 1]?.start ?? list.text.length);
  const fileGap = (index: number): string =>
    text.slice(file[index]?.end ?? edges.start, file[index + 1]?.start ?? edges.end);
  const lines = tokenLines(old);
  const anchors: Anchor[] = [
    {
      ...{ oldStart: 0, oldEnd: 0, oldLine: 0 },
      ...{ now: -1, old: -1, file: -1, nowStart: 0, nowEnd: 0, fileStart: edges.start, fileEnd: edges.start },
      ...{ oldBefore: undefined, oldAfter: gapAfter(old, -1), fileBefore: '', fileAfter: fileGap(-1) },
    },
  ];
  for (const [index, source] of sources.entries()) {
    const token = now.tokens[index];
    const real = file[source];
    if (!token || !real) continue;
    const origin = origins[index] ?? -1;
    anchors.push({
      now: index,
      old: origin < 0 ? undefined : origin,
      file: source,
      oldStart: old.tokens[origin]?.start ?? 0,
      oldEnd: old.tokens[origin]?.end ?? 0,
      oldLine: lines[origin] ?? 0,
      nowStart: token.start,
      nowEnd: token.end,
      fileStart: real.start,
      fileEnd: real.end,
      oldBefore: origin < 0 ? undefined : gapAfter(old, origin - 1),
      oldAfter: origin < 0 ? undefined : gapAfter(old, origin),
      fileBefore: fileGap(source - 1),
      fileAfter: fileGap(source),
    });
  }
  const [oldEnd, end] = [old.tokens.length, now.text.length];
  anchors.push({
    ...{ oldStart: old.text.length, oldEnd: old.text.length, oldLine: lines.at(-1) ?? 0 },
    ...{ now: now.tokens.length, old: oldEnd, file: file.length, nowStart: end, nowEnd: end },
    ...{ fileStart: edges.end, fileEnd: edges.end, oldBefore: gapAfter(old, oldEnd - 1), oldAfter: undefined },
    ...{ fileBefore: fileGap(file.length - 1), fileAfter: '' },
  });
  return anchors;
}
