import type { BudgetConfig, UserLimits } from "../http/pipeline/budgets.ts";
import type { FlagValues } from "./parse-flags.ts";

export function readBudgetFlags(flags: FlagValues): BudgetConfig {
  const limitsOf = (name: string): UserLimits => ({
    perUser: flags.number(`${name}-per-user`),
    total: flags.number(name),
  });
  return {
    reads: flags.number("max-requests-inflight"),
    writes: flags.number("max-mutating-requests-inflight"),
    longRunning: limitsOf("max-longrunning-requests"),
    requestBodyBytes: limitsOf("max-request-body-bytes"),
    responseBytes: limitsOf("max-response-bytes"),
    watchBacklogBytes: flags.number("watch-backlog-bytes"),
  };
}
