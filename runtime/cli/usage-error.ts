/** An invalid command line; the exit status is 2. */
export class UsageError extends Error {
  readonly code = "Usage";
}
