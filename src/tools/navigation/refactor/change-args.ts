import type { ReadArgs } from '../read-operations.ts';

/** What an operation that changes files takes. */
export interface ChangeArgs extends ReadArgs {
  /** Of a symbol its new name, of a file its new path. */
  readonly newName?: string | undefined;
  /** The 1-based number of a code action in the list. */
  readonly action?: number | undefined;
  readonly dry_run?: boolean | undefined;
}
