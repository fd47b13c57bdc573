import { Histogram, type Metric, NumberMetric } from "./metric.ts";

/** From 5 ms to 12.5 s. */
const BOUNDS = [0.005, 0.025, 0.1, 0.5, 2.5, 12.5];

/** Metrics of connections through the proxies of the egress selector. */
export class EgressMetrics {
  readonly #starts = new NumberMetric(
    "counter",
    "apiserver_egress_dialer_dial_start_total",
    "Number of connections through a proxy that were started, by protocol and transport of the proxy.",
    ["protocol", "transport"],
  );
  readonly #durations = new Histogram(
    "apiserver_egress_dialer_dial_duration_seconds",
    "Time to open a connection through a proxy, in seconds, by protocol and transport of the proxy.",
    ["protocol", "transport"],
    BOUNDS,
  );
  readonly #failures = new NumberMetric(
    "counter",
    "apiserver_egress_dialer_dial_failure_count",
    "Number of connections through a proxy that failed, by protocol, transport and stage: connect (to the proxy) or proxy (behind it).",
    ["protocol", "transport", "stage"],
  );

  get families(): readonly Metric[] {
    return [this.#starts, this.#durations, this.#failures];
  }

  started(protocol: string, transport: string): void {
    this.#starts.add(1, protocol, transport);
  }

  connected(milliseconds: number, protocol: string, transport: string): void {
    this.#durations.observe(milliseconds / 1000, protocol, transport);
  }

  failed(stage: string, protocol: string, transport: string): void {
    this.#failures.add(1, protocol, transport, stage);
  }
}
