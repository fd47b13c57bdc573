import { costExceeded } from "../values/evaluation-error.ts";

/** The most one evaluation of one expression may cost. */
export const PER_CALL_LIMIT = 1_000_000;
/** The most all expressions together may cost that validate one object. */
export const RUNTIME_COST_BUDGET = 10_000_000;
/** The most the match conditions of one webhook or policy binding may cost. */
export const MATCH_CONDITIONS_COST_BUDGET = 2_500_000;

/** Counts what an evaluation costs. Generated code adds to `spent` and calls `exceeded` once it is over the limit. */
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
