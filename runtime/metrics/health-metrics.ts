import { type Metric, NumberMetric } from "./metric.ts";

/** Results of the executed health checks, which `/metrics/slis` exposes. */
export class HealthMetrics {
  readonly #last = new NumberMetric(
    "gauge",
    "kubernetes_healthcheck",
    "Last result of a health check, by endpoint: 1 if it passed, 0 if it failed.",
    ["name", "type"],
  );
  readonly #total = new NumberMetric(
    "counter",
    "kubernetes_healthchecks_total",
    "Number of results of a health check, by endpoint and status.",
    ["name", "type", "status"],
  );
  readonly families: readonly Metric[] = [this.#last, this.#total];

  /** Records one result. Not to be called for a single check that was requested by name. */
  observe(endpoint: string, check: string, passed: boolean): void {
    this.#last.set(Number(passed), check, endpoint);
    this.#total.add(1, check, endpoint, passed ? "success" : "error");
  }
}

export type MetricsPath = "/metrics" | "/metrics/slis";

const HEALTH = ["kubernetes_healthcheck", "kubernetes_healthchecks_total"];
const SLIS = [...HEALTH, "process_start_time_seconds"];

/** Whether a path exposes a metric family. */
export function isShownAt(path: MetricsPath, family: string): boolean {
  return path === "/metrics" ? !HEALTH.includes(family) : SLIS.includes(family);
}
