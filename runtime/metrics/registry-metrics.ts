import type { MetricPolicy } from "../release/metric-lives.ts";
import { type Metric, NumberMetric } from "./metric.ts";

/** Number of metrics, and of those that are not shown. */
export class RegistryMetrics {
  readonly #registered = new NumberMetric(
    "counter",
    "registered_metrics_total",
    "Number of metrics that are shown, by stability level and the release that deprecated them.",
    ["stability_level", "deprecated_version"],
  );
  readonly #hidden = new NumberMetric("counter", "hidden_metrics_total", "Number of metrics that are not shown.");
  readonly #disabled = new NumberMetric(
    "counter",
    "disabled_metrics_total",
    "Number of metrics that --disabled-metrics names.",
  );
  readonly families: readonly Metric[] = [this.#registered, this.#hidden, this.#disabled];

  collect(names: readonly string[], policy: MetricPolicy): void {
    this.#registered.clear();
    for (const name of names.filter((name) => policy.isShown(name))) {
      const life = policy.lifeOf(name);
      if (life === undefined) continue;
      this.#registered.add(1, life.stability, life.deprecated === undefined ? "" : `${life.deprecated}.0`);
    }
    this.#hidden.set(names.filter((name) => policy.isHidden(name)).length);
    this.#disabled.set(policy.disabled);
  }
}
