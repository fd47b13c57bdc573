import type { Naming } from "../../contract/naming.ts";
import { nameOf, type PolicyBinding } from "./policy-objects.ts";

/** Maximum size of a value in an audit event. */
const MAX_VALUE_BYTES = 10 * 1024;

/** Audit annotations of the bindings of a policy. If several values differ, all are kept. */
export class AuditAnnotations {
  readonly #values = new Map<string, Set<string>>();

  add(policy: string, key: string, value: string): void {
    const full = `${policy}/${key}`;
    const values = this.#values.get(full) ?? new Set();
    const bytes = Buffer.from(value);
    values.add(bytes.length > MAX_VALUE_BYTES ? bytes.subarray(0, MAX_VALUE_BYTES).toString() : value);
    this.#values.set(full, values);
  }

  publish(annotate: (key: string, value: string) => void): void {
    for (const [key, values] of this.#values) annotate(key, [...values].join(", "));
  }
}

/** Returns the audit annotation for a failed validation under a binding with the action Audit. */
export function validationFailure(
  { index, message }: { readonly index: number; readonly message: string },
  binding: PolicyBinding,
  naming: Naming,
): readonly [key: string, value: string] {
  const failure = {
    message,
    policy: binding.spec?.policyName ?? "",
    binding: nameOf(binding),
    expressionIndex: index,
    validationActions: binding.spec?.validationActions ?? [],
  };
  return [`validation.policy.admission.${naming.domain}/validation_failure`, JSON.stringify([failure])];
}
