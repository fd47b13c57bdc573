import type { AdmissionChain, AdmissionObserver, AdmissionOperation, PluginMeter } from "../contract/admission.ts";
import { Histogram, type Metric, NumberMetric } from "./metric.ts";

const BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const WEBHOOK_BOUNDS = [...BOUNDS, 10, 25];
const POLICY_LABELS = ["policy", "policy_binding", "error_type", "enforcement_action"];
const POLICY_BOUNDS = [0.0000005, 0.001, 0.01, 0.1, 1];
/** Webhooks may return any status code: higher codes are counted as this one. */
const HIGHEST_CODE = 600;

/** Durations of admission by phase, plugin, webhook and policy, and the results of webhooks and policies. */
export class AdmissionMetrics implements AdmissionObserver {
  readonly #steps = new Histogram(
    "apiserver_admission_step_admission_duration_seconds",
    "Duration of each step of admission, in seconds, by operation and whether the request was rejected.",
    ["operation", "rejected", "type"],
    BOUNDS,
  );
  readonly #plugins = new Histogram(
    "apiserver_admission_controller_admission_duration_seconds",
    "Duration of each admission plugin, in seconds, by operation and whether the request was rejected.",
    ["name", "operation", "rejected", "type"],
    BOUNDS,
  );
  readonly #webhooks = new Histogram(
    "apiserver_admission_webhook_admission_duration_seconds",
    "Duration of calls of each admission webhook, in seconds, by operation and whether the request was rejected.",
    ["name", "operation", "rejected", "type"],
    WEBHOOK_BOUNDS,
  );
  readonly #requests = new NumberMetric(
    "counter",
    "apiserver_admission_webhook_request_total",
    "Number of calls of admission webhooks, by response code and whether the request was rejected.",
    ["code", "name", "operation", "rejected", "type"],
  );
  readonly #rejections = new NumberMetric(
    "counter",
    "apiserver_admission_webhook_rejection_count",
    "Number of requests rejected by admission webhooks, by type of error: a decision of the webhook or a failure to call it.",
    ["error_type", "name", "operation", "rejection_code", "type"],
  );
  readonly #failedOpen = new NumberMetric(
    "counter",
    "apiserver_admission_webhook_fail_open_count",
    "Number of failed calls of admission webhooks that were ignored because of `failurePolicy: Ignore`.",
    ["name", "type"],
  );
  readonly #checks = new NumberMetric(
    "counter",
    "apiserver_validating_admission_policy_check_total",
    "Number of failed validations of validating policies, by policy, binding, type of error and action.",
    POLICY_LABELS,
  );
  readonly #checkTimes = new Histogram(
    "apiserver_validating_admission_policy_check_duration_seconds",
    "Duration of the evaluation of validating policies with failed validations, in seconds, by policy, binding, type of error and action.",
    POLICY_LABELS,
    POLICY_BOUNDS,
  );
  readonly #registered = new Map<string, () => Iterable<string>>();

  constructor() {
    this.#webhooks.keepWhile(() => this.#isRegistered(([name, , , type]) => [name, type]));
    this.#requests.keepWhile(() => this.#isRegistered(([, name, , , type]) => [name, type]));
    this.#rejections.keepWhile(() => this.#isRegistered(([, name, , , type]) => [name, type]));
    this.#failedOpen.keepWhile(() => this.#isRegistered(([name, type]) => [name, type]));
    for (const family of [this.#checks, this.#checkTimes])
      family.keepWhile(() => this.#isRegistered(([policy]) => [policy, "policy"]));
  }

  #isRegistered(read: (labels: readonly string[]) => readonly [name: string | undefined, type: string | undefined]) {
    const names = new Map([...this.#registered].map(([type, list]) => [type, new Set(list())]));
    return (labels: readonly string[]): boolean => {
      const [name = "", type = ""] = read(labels);
      return names.get(type)?.has(name) ?? true;
    };
  }

  registered(type: "admit" | "validating" | "policy", names: () => Iterable<string>): void {
    this.#registered.set(type, names);
  }

  get families(): readonly Metric[] {
    const ofWebhooks = [this.#webhooks, this.#requests, this.#rejections, this.#failedOpen];
    return [this.#steps, this.#plugins, ...ofWebhooks, this.#checks, this.#checkTimes];
  }

  plugin(name: string, type: "admit" | "validate", operation: AdmissionOperation): PluginMeter {
    const good = this.#plugins.of(name, operation, "false", type);
    return (milliseconds, rejected) => {
      const samples = rejected ? this.#plugins.of(name, operation, "true", type) : good;
      samples.observe(milliseconds / 1000);
    };
  }

  askedWebhook({ name, type, operation, milliseconds, code, cause }: Parameters<AdmissionObserver["askedWebhook"]>[0]) {
    const shownCode = String(Math.min(code, HIGHEST_CODE));
    const rejected = String(cause !== undefined);
    this.#webhooks.observe(milliseconds / 1000, name, operation, rejected, type);
    this.#requests.add(1, shownCode, name, operation, rejected, type);
    if (cause !== undefined) this.#rejections.add(1, cause, name, operation, shownCode, type);
  }

  failedOpen(name: string, type: "admit" | "validating"): void {
    this.#failedOpen.add(1, name, type);
  }

  checkedPolicy({ policy, binding, action, error, milliseconds }: Parameters<AdmissionObserver["checkedPolicy"]>[0]) {
    this.#checks.add(1, policy, binding, error, action);
    this.#checkTimes.observe(milliseconds / 1000, policy, binding, error, action);
  }

  /** Wraps a chain to measure its duration. */
  measured(chain: AdmissionChain, monotonic: () => number): AdmissionChain {
    const timed = async (type: string, operation: string, admit: () => Promise<void>): Promise<void> => {
      const started = monotonic();
      let rejected = "true";
      try {
        await admit();
        rejected = "false";
      } finally {
        this.#steps.observe((monotonic() - started) / 1000, operation, rejected, type);
      }
    };
    return {
      mutate: (request) => timed("admit", request.operation, () => chain.mutate(request)),
      validate: (request) => timed("validate", request.operation, () => chain.validate(request)),
    };
  }
}
