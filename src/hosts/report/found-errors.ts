import type { JournalRecord } from '../../broker/journal-record.ts';

/** Errors that came and went, as a call was told: those of its own change, and late ones of earlier calls. */
interface FoundErrors {
  readonly introduced: number;
  readonly fixed: number;
}

/** How many errors a call introduced and fixed, those told late included. A dry run has none of its own. */
export function foundErrors({ diagnostics, late = [], dry_run }: JournalRecord): FoundErrors {
  const own = dry_run ? undefined : diagnostics;
  return {
    introduced: late.reduce((sum, each) => sum + each.introduced, own?.introduced ?? 0),
    fixed: late.reduce((sum, each) => sum + each.fixed, own?.fixed ?? 0),
  };
}
