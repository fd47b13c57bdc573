import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { invalidFields, unsupportedField } from "../../../runtime/values/field-errors.ts";
import { checkQualifiedName } from "../../../runtime/values/names.ts";

const STRATEGIES = ["OldestEmulationVersion"];

/** A strategy must be well known or have a domain prefix. */
export function validateLeaseStrategy(strategy: string, path: string, errors: FieldError[]): void {
  const field = `${path}.strategy`;
  if (strategy.includes("/")) errors.push(...invalidFields(field, strategy, checkQualifiedName(strategy)));
  else if (!STRATEGIES.includes(strategy)) errors.push(unsupportedField(field, strategy, STRATEGIES));
}
