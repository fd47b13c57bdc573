/** One thing that must be well. Throws, or rejects, with the reason when it is not. */
export interface HealthCheck {
  readonly name: string;
  check(): void | Promise<void>;
}
