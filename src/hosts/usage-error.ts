/** The command line itself is wrong: exit status 2, nothing was run. */
export class UsageError extends Error {
  readonly code = 'usage';
}
