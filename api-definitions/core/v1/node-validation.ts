import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { goTexts, shown } from "../../../runtime/go/literal.ts";
import {
  duplicateField,
  forbiddenField,
  internalErrorField,
  invalidField,
  invalidFields,
  requiredField,
} from "../../../runtime/values/field-errors.ts";
import { checkLegacyCidr, parseLenientCidr } from "../../../runtime/values/ip-checks.ts";
import { checkLabelValue } from "../../../runtime/values/names.ts";
import { validateTaintEffect } from "../../../runtime/values/tolerations.ts";
import { shownAs } from "../../go-types.ts";
import { validateLabelName } from "../../meta/v1/label-selector-validation.ts";
import { validateNodeAnnotations } from "./alpha-annotations.ts";
import type { Node } from "./node.ts";
import { validateConfigSource, validateConfigStatus } from "./node-config.ts";
import type { Taint } from "./scheduling.ts";
import { validatePositive } from "./validation/basics.ts";
import { validateResourceAmount } from "./validation/resources.ts";

const POD_CIDRS = "spec.podCIDRs";

export function validateNode(node: Node, gates: Pick<HookContext, "featureEnabled">): FieldError[] {
  const errors: FieldError[] = [];
  validateNodeAnnotations(node.metadata?.annotations, validateTaints, "metadata.annotations", errors);
  validateTaints(node.spec?.taints ?? [], "metadata.taints", errors);
  validateResources(node, errors);
  const swap = node.status?.nodeInfo?.swap?.capacity;
  if (swap !== undefined) validatePositive(swap, "metadata.nodeSwapStatus.capacity", errors);
  validatePodRanges(node.spec?.podCIDRs ?? [], gates, errors);
  return errors;
}

/** Pod address ranges and the provider ID cannot be changed once set. */
export function validateNodeChange(node: Node, old: Node): FieldError[] {
  const errors: FieldError[] = [];
  const [spec, before] = [node.spec ?? {}, old.spec ?? {}];
  validateNodeAnnotations(node.metadata?.annotations, validateTaints, "metadata.annotations", errors);
  validateResources(node, errors);
  validateAddresses(node, errors);
  validateKeptRanges(spec.podCIDRs ?? [], before.podCIDRs ?? [], errors);
  if (before.providerID && before.providerID !== spec.providerID) {
    const detail = 'node updates may not change providerID except from "" to valid';
    errors.push(forbiddenField("spec.providerID", detail));
  }
  if (spec.configSource !== undefined) validateConfigSource(spec.configSource, "spec.configSource", errors);
  if (node.status?.config !== undefined) validateConfigStatus(node.status.config, "status.config", errors);
  validateTaints(spec.taints ?? [], "metadata.taints", errors);
  if ((spec.externalID ?? "") !== (before.externalID ?? ""))
    errors.push(forbiddenField("spec.externalID", "may not be updated"));
  return errors;
}

/** Errors name `metadata.taints`, as in Kubernetes, where taints once were. */
function validateTaints(taints: readonly Taint[], list: string, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [index, taint] of taints.entries()) {
    const path = `${list}[${index}]`;
    const { key = "", value = "", effect = "" } = taint;
    validateLabelName(key, `${path}.key`, errors);
    const problems = checkLabelValue(value);
    if (problems.length > 0) errors.push(invalidField(`${path}.value`, value, problems.join(";")));
    if (effect === ("" as string)) errors.push(requiredField(`${path}.effect`));
    else validateTaintEffect(effect, `${path}.effect`, errors);
    const pair = `${effect}/${key}`;
    if (seen.has(pair)) {
      const repeated = duplicateField(path, shownAs("core.Taint", taint));
      errors.push({ ...repeated, message: `${repeated.message}: taints must be unique by key and effect pair` });
    }
    seen.add(pair);
  }
}

function validateResources({ status }: Node, errors: FieldError[]): void {
  for (const list of ["capacity", "allocatable"] as const) {
    const amounts = status?.[list] ?? {};
    for (const name of Object.keys(amounts))
      validateResourceAmount(name, amounts, name, `status.${list}.${name}`, errors);
  }
}

function validateAddresses({ status }: Node, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [index, { type, address }] of (status?.addresses ?? []).entries()) {
    const key = `${type} ${address}`;
    if (seen.has(key)) {
      const value = shownAs("core.NodeAddress", { type, address });
      errors.push(duplicateField(`status.addresses[${index}]`, value));
    }
    seen.add(key);
  }
}

/** At most one range of each family. */
function validatePodRanges(
  ranges: readonly string[],
  gates: Pick<HookContext, "featureEnabled">,
  errors: FieldError[],
): void {
  for (const [index, range] of ranges.entries())
    errors.push(...invalidFields(`${POD_CIDRS}[${index}]`, range, checkLegacyCidr(range, gates)));
  if (ranges.length < 2) return;
  const broken = ranges.findIndex((range) => parseLenientCidr(range) === undefined);
  if (broken >= 0) {
    const why = `invalid CIDR[${broken}]: <nil> (invalid CIDR address: ${ranges[broken]})`;
    const problem = `invalid PodCIDRs. failed to check with dual stack with error:${why}`;
    errors.push(internalErrorField(POD_CIDRS, problem));
  }
  const families = new Set(ranges.map((range) => parseLenientCidr(range)?.bytes.length));
  if (broken >= 0 || families.size < 2 || ranges.length > 2) {
    const detail = "may specify no more than one CIDR for each IP family";
    errors.push(invalidField(POD_CIDRS, shown(goTexts(ranges)), detail));
  }
}

function validateKeptRanges(next: readonly string[], before: readonly string[], errors: FieldError[]): void {
  if (before.length === 0) return;
  const detail = 'node updates may not change podCIDR except from "" to valid';
  const changes = before.length === next.length ? before.filter((range, index) => range !== next[index]).length : 1;
  for (let count = 0; count < changes; count++) errors.push(forbiddenField(POD_CIDRS, detail));
}
