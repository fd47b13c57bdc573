import type { ObserveRules } from "../contract/observe-rules.ts";
import { Histogram, type Metric } from "./metric.ts";

const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Durations of CEL rules of custom resources. */
export class CelMetrics {
  readonly #compilation = new Histogram(
    "apiserver_cel_compilation_duration_seconds",
    "Duration of the compilation of all CEL rules of a version of a custom resource, in seconds.",
    [],
    BOUNDS,
  );
  readonly #evaluation = new Histogram(
    "apiserver_cel_evaluation_duration_seconds",
    "Duration of the evaluation of all CEL rules for a custom object, in seconds.",
    [],
    BOUNDS,
  );
  readonly families: readonly Metric[] = [this.#compilation, this.#evaluation];

  constructor() {
    // They are shown before there is a custom resource with rules.
    for (const metric of [this.#compilation, this.#evaluation]) metric.of();
  }

  readonly observe: ObserveRules = (step, milliseconds) =>
    (step === "compilation" ? this.#compilation : this.#evaluation).observe(milliseconds / 1000);
}
