import type { JournalRecord } from '../../broker/journal-record.ts';
import { foundErrors } from './found-errors.ts';

/** How long errors stood that are gone: calls and milliseconds from the call that brought them to the one without. */
interface Stay {
  readonly calls: number;
  readonly ms: number;
}

interface Batch {
  left: number;
  readonly call: number;
  readonly at: number;
}

/** Batches of errors of one call, not single ones, so that a hostile count costs nothing. */
const MAX_BATCHES = 10_000;

/**
 * Follows the errors of one journal, of each root apart: what one session brings another may mend. A record says how many
 * came and went, not which: the oldest are taken to go first. That leaves the mean as it is, whichever went.
 */
export function createOpenErrors() {
  const roots = new Map<string, Batch[]>();
  let call = 0;
  return {
    add(record: JournalRecord): { readonly stays: readonly (Stay & { readonly errors: number })[] } {
      call += 1;
      const found = foundErrors(record);
      if (found.introduced + found.fixed === 0) return { stays: [] };
      const at = Date.parse(record.time);
      const open = roots.get(record.root) ?? [];
      if (roots.size < MAX_BATCHES) roots.set(record.root, open);
      const stays: (Stay & { errors: number })[] = [];
      let left = found.fixed;
      while (left > 0) {
        const [oldest] = open;
        if (!oldest) break;
        const errors = Math.min(left, oldest.left);
        stays.push({ errors, calls: call - oldest.call, ms: Math.max(0, at - oldest.at) || 0 });
        oldest.left -= errors;
        left -= errors;
        if (oldest.left === 0) open.shift();
      }
      if (found.introduced > 0 && open.length < MAX_BATCHES) open.push({ left: found.introduced, call, at });
      return { stays };
    },
    /** Errors that are still there. */
    count: (): number => [...roots.values()].flat().reduce((sum, { left }) => sum + left, 0),
  };
}
