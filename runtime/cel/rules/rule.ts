import type { FieldErrorReason } from "../../contract/field-error.ts";

/** A validation rule as schemas and markers state it. */
export interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  /** One of the four reasons a rule may give; others are taken for `FieldValueInvalid`. */
  readonly reason?: FieldErrorReason | (string & {});
  /** Which field below the rule's own to blame: `.spec.replicas`, `.labels['app']`. */
  readonly fieldPath?: string;
  /** Run even when there is no old value; `oldSelf` is an optional then. */
  readonly optionalOldSelf?: boolean;
}

/** What a rule is called in messages about it. */
export function ruleName(rule: Rule): string {
  return (rule.message === undefined || rule.message === "" ? rule.rule : rule.message).trim();
}

/** Message of a rule that does not hold and has no message expression, or one that failed. */
export function ruleMessage(rule: Rule): string {
  const hasMessage = rule.message !== undefined && rule.message !== "";
  return hasMessage ? ruleName(rule) : `failed rule: ${ruleName(rule)}`;
}

/** What all rules of one object may cost together. Falls below zero when it is used up: then nothing more is run. */
export interface RuleBudget {
  remaining: number;
}
