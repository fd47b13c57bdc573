/** An invalid command line. The exit status is 2. */
export class UsageError extends Error {
  readonly code = "Usage";
}
