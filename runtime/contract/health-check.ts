/** A health check. Throws or rejects if it fails; the error is the reason. */
export interface HealthCheck {
  readonly name: string;
  check(): void | Promise<void>;
}
