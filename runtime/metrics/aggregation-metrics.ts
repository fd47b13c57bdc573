import { type Metric, NumberMetric } from "./metric.ts";

interface ApiServiceState {
  readonly name: string;
  readonly available: boolean;
}

/** Metrics of APIServices. */
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
  readonly #apiServices: () => Iterable<ApiServiceState>;

  /** `apiServices` returns the existing ones. */
  constructor(apiServices: () => Iterable<ApiServiceState>) {
    this.#apiServices = apiServices;
    this.#lost.keepWhile(() => {
      const names = new Set([...apiServices()].map(({ name }) => name));
      return ([name = ""]) => names.has(name);
    });
  }

  get families(): readonly Metric[] {
    return [this.#unavailable, this.#lost];
  }

  lost(name: string, reason: string): void {
    this.#lost.add(1, name, reason);
  }

  collect(): void {
    this.#unavailable.clear();
    for (const { name, available } of this.#apiServices()) this.#unavailable.set(available ? 0 : 1, name);
  }
}
