import type { RuleChecker } from "./checks/checks.ts";

/** Checks CEL rules with the engine that will run them. */
export async function createRuleChecker(): Promise<RuleChecker | undefined> {
  return undefined;
}
