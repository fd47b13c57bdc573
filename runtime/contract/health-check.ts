/** A health check. Throws, or rejects, with the reason if it fails. */
export interface HealthCheck {
  readonly name: string;
  check(): void | Promise<void>;
}
