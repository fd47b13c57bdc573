import type { FieldErrorReason } from "../../contract/field-error.ts";

/** A validation rule as declared in schemas and markers. */
export interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  /** One of four possible reasons. Others are treated as `FieldValueInvalid`. */
  readonly reason?: FieldErrorReason | (string & {});
  /** Path of the field to report, relative to the rule's value: `.spec.replicas`, `.labels['app']`. */
  readonly fieldPath?: string;
  /** Whether the rule is evaluated without an old value too. `oldSelf` is then an optional. */
  readonly optionalOldSelf?: boolean;
}

/** Returns the name of a rule in messages. */
export function ruleName(rule: Rule): string {
  return (rule.message === undefined || rule.message === "" ? rule.rule : rule.message).trim();
}

/** Message of a violated rule without message expression, or whose message expression failed. */
export function ruleMessage(rule: Rule): string {
  const hasMessage = rule.message !== undefined && rule.message !== "";
  return hasMessage ? ruleName(rule) : `failed rule: ${ruleName(rule)}`;
}

/** Remaining cost for all rules of one object. Becomes negative when it is exhausted; no more rules are then evaluated. */
export interface RuleBudget {
  remaining: number;
}
