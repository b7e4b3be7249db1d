import type { JournalRecord } from '../../broker/journal-record.ts';
import { readCallText } from './call-texts.ts';
import { type CountTokens, loadTokenCounter } from './count-tokens.ts';

/** What a call cost a model; each counted call stands for `weight` calls. */
export interface CallTokens {
  readonly input: number;
  readonly output: number;
  readonly weight: number;
}

/** Of which calls tokens are counted. */
export type TokenMode = 'all' | 'sample' | 'none';

/** Counts the tokens of calls. `undefined`: this call is not counted, or its texts are not kept any more. */
export interface TokenMeter {
  /** Every `every`th call is counted; 0: none. */
  readonly every: number;
  of(record: JournalRecord, blobs: string): Promise<CallTokens | 'not counted' | 'gone'>;
}

/** Up to as many calls are all counted. */
const ALL_UP_TO = 20_000;
const BYTES_OF_A_RECORD = 700;
const MAX_KNOWN = 50_000;

/** `journalBytes` are those of all journals, from which the number of calls is guessed. */
export async function createTokenMeter(mode: TokenMode, journalBytes: number): Promise<TokenMeter> {
  if (mode === 'none') return { every: 0, of: async () => 'not counted' };
  const guessed = journalBytes / BYTES_OF_A_RECORD;
  const every = mode === 'all' ? 1 : Math.max(1, Math.ceil(guessed / ALL_UP_TO));
  const count = await loadTokenCounter();
  const known = new Map<string, number>();
  return {
    every,
    async of(record, blobs) {
      if (!isSampled(record, every)) return 'not counted';
      const [input, output] = await Promise.all(
        [record.args, record.result].map((hash) => tokensOf({ blobs, hash }, known, count)),
      );
      return input === undefined || output === undefined ? 'gone' : { input, output, weight: every };
    },
  };
}

/** The same calls whenever a journal is summed: by what they are, not by chance. */
function isSampled({ args, receipt, time }: JournalRecord, every: number): boolean {
  if (every === 1) return true;
  let hash = 2166136261;
  for (const char of `${receipt} ${time} ${args.slice(0, 16)}`) {
    hash = Math.imul(hash ^ char.charCodeAt(0), 16777619);
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % every === 0;
}

async function tokensOf(
  { blobs, hash }: { readonly blobs: string; readonly hash: string },
  known: Map<string, number>,
  count: CountTokens,
): Promise<number | undefined> {
  const before = known.get(hash);
  if (before !== undefined) return before;
  const kept = await readCallText(blobs, hash);
  if (!kept) return undefined;
  const read = Buffer.byteLength(kept.text);
  const tokens = read === 0 ? 0 : Math.round(count(kept.text) * Math.max(1, kept.bytes / read));
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(hash, tokens);
  return tokens;
}
