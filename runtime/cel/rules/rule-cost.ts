/** Limit for the estimated cost of a rule, for all data that it can apply to in one request. */
export const ESTIMATED_RULE_COST_LIMIT = 10_000_000;
/** Limit for the estimated cost of all rules of one schema. */
export const ESTIMATED_SCHEMA_COST_LIMIT = 100_000_000;

/** Returns the message of Kubernetes for a rule whose estimated cost exceeds a limit. */
export function costProblem(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const written = factor > 100 ? "more than 100x" : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${written} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
