import { costExceeded } from "../values/evaluation-error.ts";

/** Cost limit of one evaluation of one expression. */
export const PER_CALL_LIMIT = 1_000_000;
/** Cost limit for all expressions that validate one object. */
export const RUNTIME_COST_BUDGET = 10_000_000;
/** Cost limit for the match conditions of one webhook or policy binding. */
export const MATCH_CONDITIONS_COST_BUDGET = 2_500_000;

/** Counts the cost of an evaluation. Generated code adds to `spent` and calls `exceeded` when `spent` is above the limit. */
export class Budget {
  spent = 0;
  readonly limit: number;

  constructor(limit: number = PER_CALL_LIMIT) {
    this.limit = limit;
  }
}

export function exceeded(): never {
  throw costExceeded();
}
