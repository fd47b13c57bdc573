import { type Metric, NumberMetric } from "./metric.ts";

/** A quantity that counts against a limit. */
export interface Limited {
  readonly counted: Counted;
  /** Limit for all users together; 0 means unlimited. */
  readonly limit: number;
}

interface Counted {
  readonly name: string;
  readonly used: number;
  readonly refusals: Readonly<Record<string, number>>;
}

/** Usage of budgets, and rejections because of them. Updated when the metrics are read. */
export class BudgetMetrics {
  readonly #used = new NumberMetric(
    "gauge",
    "typeplane_budget_used",
    "Requests, or bytes of requests, that currently count against a budget.",
    ["budget"],
  );
  readonly #limits = new NumberMetric(
    "gauge",
    "typeplane_budget_limit",
    "Limit of a budget for all users together; absent if there is none.",
    ["budget"],
  );
  readonly #refusals = new NumberMetric(
    "counter",
    "typeplane_budget_refusals_total",
    "Number of requests rejected because the budget of a user or of all users was used up.",
    ["budget", "limit"],
  );
  readonly #ended = new NumberMetric(
    "counter",
    "typeplane_watches_ended_total",
    "Number of watches closed because the client did not read fast enough.",
    ["reason"],
  );

  get families(): readonly Metric[] {
    return [this.#used, this.#limits, this.#refusals, this.#ended];
  }

  collect(budgets: readonly Limited[], ended: Readonly<Record<string, number>>): void {
    for (const { counted, limit } of budgets) {
      const { name, used, refusals } = counted;
      this.#used.set(used, name);
      if (limit > 0) this.#limits.set(limit, name);
      for (const [limit, count] of Object.entries(refusals)) this.#refusals.set(count, name, limit);
    }
    for (const [reason, count] of Object.entries(ended)) this.#ended.set(count, reason);
  }
}
