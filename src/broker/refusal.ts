/** Every code that a call can fail with, anywhere. */
export type ErrorCode =
  | 'no_match'
  | 'ambiguous'
  | 'stale'
  | 'identical'
  | 'empty_old'
  | 'already_applied'
  | 'too_short'
  | 'too_wide'
  | 'elision'
  | 'binary'
  | 'too_large'
  | 'encoding'
  | 'not_found'
  | 'exists'
  | 'is_directory'
  | 'read_only'
  | 'denied'
  | 'conflict'
  | 'unavailable'
  | 'io'
  | 'loop_blocked'
  | 'timeout'
  | 'cancelled'
  | 'invalid_arguments';

/** An expected no: a value, not an exception. Nothing was changed. */
export interface Refusal {
  readonly status: 'refused';
  readonly code: ErrorCode;
  /** What is wrong with the value in it, then what to do next; without the `Error <code>:` that goes before it. */
  readonly message: string;
}

/** A refusal: `message` says what is wrong with the value in it, then what to do. */
export function refuse(code: ErrorCode, message: string): Refusal {
  return { status: 'refused', code, message };
}

/** The first words of every failed result: `Error no_match: …`. */
export function refusalText(refusal: Pick<Refusal, 'code' | 'message'>): string {
  return `Error ${refusal.code}: ${refusal.message}`;
}
