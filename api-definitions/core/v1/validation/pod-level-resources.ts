import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { Verbatim } from "../../../../runtime/go/verbatim.ts";
import { containerAmounts } from "../../../../runtime/values/container-amounts.ts";
import { forbiddenField, invalidField, unsupportedField } from "../../../../runtime/values/field-errors.ts";
import { compareQuantities, formatQuantity, parseQuantity } from "../../../../runtime/values/quantity.ts";
import { isPodLevelResource } from "../pod-level-resources.ts";
import type { PodSpec } from "../pod-spec.ts";
import { type PodClaims, validateContainerResources, validateResourceName } from "./resources.ts";

const SUPPORTED = ["cpu", "hugepages-", "memory"];

/** Validates the resources of a pod: they must cover the total requests of its containers and the limit of each container. */
export function validatePodLevelResources(
  spec: PodSpec,
  claims: PodClaims,
  tolerance: { readonly hugePages: boolean },
  path: string,
  errors: FieldError[],
): void {
  const { resources } = spec;
  if (resources === undefined) return;
  if (resources.claims !== undefined)
    errors.push(forbiddenField(`${path}.claims`, "claims cannot be set for Resources at pod-level"));
  validateContainerResources(resources, claims, path, errors, tolerance, validateName);
  for (const [name, amount] of [...containerAmounts(spec, "requests")].sort(byName)) {
    const own = resources.requests?.[name] ?? "0";
    if (compareQuantities(amount, parseQuantity(own)) <= 0) continue;
    const needed = `must be greater than or equal to aggregate container requests of ${formatQuantity(amount)}`;
    errors.push(invalidField(`${path}.requests[${name}]`, own, needed));
  }
  for (const [index, container] of (spec.containers ?? []).entries())
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {}).sort(byName)) {
      const own = resources.limits?.[name];
      if (own === undefined || compareQuantities(parseQuantity(limit), parseQuantity(own)) <= 0) continue;
      const field = `${path}.containers[${index}][${name}].limits`;
      errors.push(invalidField(field, limit, `must be less than or equal to pod limits of ${own}`));
    }
}

function validateName(name: string, field: string, errors: FieldError[]): void {
  if (validateResourceName(name, field, errors) && !isPodLevelResource(name))
    errors.push(unsupportedField(field, new Verbatim(name), SUPPORTED));
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
