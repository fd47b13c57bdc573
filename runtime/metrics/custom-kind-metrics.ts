import type { ConversionCall } from "../contract/conversion-webhooks.ts";
import type { ObserveRules } from "../contract/observe-rules.ts";
import { Histogram, type Metric, NumberMetric } from "./metric.ts";

/** From 1 ms to 16 s. */
const BOUNDS = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);
const REQUEST_BOUNDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60];

const RULE_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics of custom resources: calls of their conversion webhooks, and durations of their CEL rules. */
export class CustomKindMetrics {
  readonly #conversions = new Histogram(
    "apiserver_crd_conversion_webhook_duration_seconds",
    "Duration of conversions of custom resources by webhooks, in seconds, by definition, versions and success.",
    ["crd_name", "from_version", "succeeded", "to_version"],
    BOUNDS,
  );
  readonly #durations = new Histogram(
    "apiserver_conversion_webhook_duration_seconds",
    "Duration of calls of conversion webhooks, in seconds, by result and type of failure.",
    ["failure_type", "result"],
    REQUEST_BOUNDS,
  );
  readonly #requests = new NumberMetric(
    "counter",
    "apiserver_conversion_webhook_request_total",
    "Number of calls of conversion webhooks, by result and type of failure.",
    ["failure_type", "result"],
  );

  readonly #compilation = new Histogram(
    "apiserver_cel_compilation_duration_seconds",
    "Duration of the compilation of all CEL rules of a version of a custom resource, in seconds.",
    [],
    RULE_BOUNDS,
  );
  readonly #evaluation = new Histogram(
    "apiserver_cel_evaluation_duration_seconds",
    "Duration of the evaluation of all CEL rules for a custom object, in seconds.",
    [],
    RULE_BOUNDS,
  );

  /** `exists` returns whether a definition with this name is served. */
  constructor(exists: (definition: string) => boolean) {
    this.#conversions.keepWhile(
      () =>
        ([definition = ""]) =>
          exists(definition),
    );
    // They are shown before there is a custom resource with rules.
    for (const metric of [this.#compilation, this.#evaluation]) metric.of();
  }

  get families(): readonly Metric[] {
    return [this.#conversions, this.#durations, this.#requests, this.#compilation, this.#evaluation];
  }

  readonly observeRules: ObserveRules = (step, milliseconds) =>
    (step === "compilation" ? this.#compilation : this.#evaluation).observe(milliseconds / 1000);

  observe({ definition, from, to, milliseconds, failure }: ConversionCall): void {
    const seconds = milliseconds / 1000;
    const labels = [failure ?? "", failure === undefined ? "success" : "failure"] as const;
    this.#conversions.observe(seconds, definition, from, String(failure === undefined), to);
    this.#durations.observe(seconds, ...labels);
    this.#requests.add(1, ...labels);
  }
}
