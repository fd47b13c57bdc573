import { Histogram, type Metric, NumberMetric } from "./metric.ts";

/** Default bucket bounds of Prometheus, in seconds. */
const CALL_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CONDITION_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/** Type of authorizers with their own configuration. */
const WEBHOOK = "Webhook";

/** Metrics of authorizers: decisions, webhook calls, and match conditions. */
export class AuthorizerMetrics {
  readonly decisions = new NumberMetric(
    "counter",
    "apiserver_authorization_decisions_total",
    "Number of requests that an authorizer allowed or denied, by its type and name, and the decision.",
    ["type", "name", "decision"],
  );
  readonly #calls = new NumberMetric(
    "counter",
    "apiserver_authorization_webhook_evaluations_total",
    "Number of calls of authorization webhooks, by name and result: success, timeout or error.",
    ["name", "result"],
  );
  readonly #callTimes = new Histogram(
    "apiserver_authorization_webhook_duration_seconds",
    "Duration of calls of authorization webhooks, in seconds, by name and result.",
    ["name", "result"],
    CALL_BOUNDS,
  );
  readonly #failOpen = new NumberMetric(
    "counter",
    "apiserver_authorization_webhook_evaluations_fail_open_total",
    "Number of failed calls of authorization webhooks that counted as no opinion, by name and result.",
    ["name", "result"],
  );
  readonly #conditionTimes = new Histogram(
    "apiserver_authorization_match_condition_evaluation_seconds",
    "Time to evaluate the match conditions of an authorizer, in seconds, by its type and name.",
    ["type", "name"],
    CONDITION_BOUNDS,
  );
  readonly #conditionErrors = new NumberMetric(
    "counter",
    "apiserver_authorization_match_condition_evaluation_errors_total",
    "Number of requests for which a match condition of an authorizer could not be evaluated, by its type and name.",
    ["type", "name"],
  );
  readonly #exclusions = new NumberMetric(
    "counter",
    "apiserver_authorization_match_condition_exclusions_total",
    "Number of requests for which an authorizer was not called because a match condition was false, by its type and name.",
    ["type", "name"],
  );

  get families(): readonly Metric[] {
    return [
      this.decisions,
      this.#calls,
      this.#callTimes,
      this.#failOpen,
      this.#conditionTimes,
      this.#conditionErrors,
      this.#exclusions,
    ];
  }

  called(name: string, result: string, milliseconds: number): void {
    this.#calls.add(1, name, result);
    this.#callTimes.observe(milliseconds / 1000, name, result);
  }

  failedOpen(name: string, result: string): void {
    this.#failOpen.add(1, name, result);
  }

  conditionsEvaluated(name: string, milliseconds: number, outcome: { failed: boolean; excluded: boolean }): void {
    this.#conditionTimes.observe(milliseconds / 1000, WEBHOOK, name);
    if (outcome.failed) this.#conditionErrors.add(1, WEBHOOK, name);
    if (outcome.excluded) this.#exclusions.add(1, WEBHOOK, name);
  }
}
