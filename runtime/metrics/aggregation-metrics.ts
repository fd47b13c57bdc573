import { type Metric, NumberMetric } from "./metric.ts";

/** APIServices in numbers. */
export class AggregationMetrics {
  readonly #unavailable = new NumberMetric(
    "gauge",
    "aggregator_unavailable_apiservice",
    "Whether an APIService is unavailable: 1 if its server cannot be reached.",
    ["name"],
  );
  readonly #lost = new NumberMetric(
    "counter",
    "aggregator_unavailable_apiservice_total",
    "Number of times an APIService became unavailable, by reason.",
    ["name", "reason"],
  );

  get families(): readonly Metric[] {
    return [this.#unavailable, this.#lost];
  }

  lost(name: string, reason: string): void {
    this.#lost.add(1, name, reason);
  }

  collect(apiServices: Iterable<{ readonly name: string; readonly available: boolean }>): void {
    this.#unavailable.clear();
    for (const { name, available } of apiServices) this.#unavailable.set(available ? 0 : 1, name);
  }
}
