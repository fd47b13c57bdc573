import { MetricTargetType } from "../../../generated/values/autoscaling.v2.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goQuantity, shown } from "../../../runtime/go/literal.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkPathSegment } from "../../../runtime/values/names.ts";
import { parseQuantity } from "../../../runtime/values/quantity.ts";
import { need, validateDnsLabel } from "../../core/v1/validation/basics.ts";
import { validateContainerResourceName } from "../../core/v1/validation/resources.ts";
import type { CrossVersionObjectReference, MetricIdentifier, MetricSpec, MetricTarget } from "./metrics.ts";

/** The type that each field of a metric belongs to, in the order of validation. */
const SOURCES = {
  object: "Object",
  external: "External",
  pods: "Pods",
  resource: "Resource",
  containerResource: "ContainerResource",
} as const;
type SourceName = keyof typeof SOURCES;
const SOURCE_NAMES = Object.keys(SOURCES) as SourceName[];
const SOURCE_TYPES: string[] = Object.values(SOURCES).sort();

export function validateMetrics(
  metrics: readonly MetricSpec[],
  minReplicas: number | undefined,
  path: string,
  errors: FieldError[],
): void {
  for (const [index, metric] of metrics.entries()) validateMetric(metric, `${path}[${index}]`, errors);
  const wakes = metrics.some(({ type }) => type === "Object" || type === "External");
  if (minReplicas === 0 && !wakes) {
    const detail = "must specify at least one Object or External metric to support scaling to zero replicas";
    errors.push(forbiddenField(path, detail));
  }
}

/** An object of any kind in the same namespace. */
export function validateReference(
  reference: CrossVersionObjectReference | undefined,
  path: string,
  errors: FieldError[],
): void {
  for (const name of ["kind", "name"] as const) {
    const value = reference?.[name] ?? "";
    if (!need(value, `${path}.${name}`, errors)) continue;
    errors.push(...invalidFields(`${path}.${name}`, value, checkPathSegment(value)));
  }
}

function validateMetric(metric: MetricSpec, path: string, errors: FieldError[]): void {
  const type: string = metric.type ?? "";
  if (type === "") errors.push(requiredField(`${path}.type`, "must specify a metric source type"));
  const unsupported = unsupportedField(`${path}.type`, type, SOURCE_TYPES);
  if (!SOURCE_TYPES.includes(type)) errors.push(unsupported);
  const present = SOURCE_NAMES.filter((name) => metric[name] !== undefined);
  if (present[0] !== undefined) validateSource(metric, present[0], `${path}.${present[0]}`, errors);
  const expected = SOURCE_NAMES.find((name) => SOURCES[name] === type);
  if (expected === undefined) errors.push(unsupported);
  else if (metric[expected] === undefined) {
    const detail = "must populate information for the given metric source";
    errors.push(requiredField(`${path}.${expected}`, detail));
  }
  if (present.length === 1) return;
  for (const name of present.filter((other) => other !== expected)) {
    errors.push(forbiddenField(`${path}.${name}`, "must populate the given metric source only"));
  }
}

function validateSource(metric: MetricSpec, name: SourceName, path: string, errors: FieldError[]): void {
  switch (name) {
    case "object":
      validateReference(metric.object?.describedObject, `${path}.describedObject`, errors);
      validateIdentifier(metric.object?.metric, `${path}.metric`, errors);
      validateTarget(metric.object?.target, `${path}.target`, errors);
      needValue(metric.object?.target, "must set either a target value or averageValue", path, errors);
      return;
    case "external":
      validateExternal(metric.external, path, errors);
      return;
    case "pods":
      validateIdentifier(metric.pods?.metric, `${path}.metric`, errors);
      validateTarget(metric.pods?.target, `${path}.target`, errors);
      if (metric.pods?.target?.averageValue === undefined) {
        errors.push(requiredField(`${path}.target.averageValue`, "must specify a positive target averageValue"));
      }
      return;
    case "resource":
      need(metric.resource?.name, `${path}.name`, errors, "must specify a resource name");
      validateUsage(metric.resource?.target, `${path}.target`, errors);
      return;
    case "containerResource": {
      const { name: resource = "", container = "", target } = metric.containerResource ?? {};
      if (need(resource, `${path}.name`, errors, "must specify a resource name")) {
        validateContainerResourceName(resource, `${path}.name`, errors, resource);
      }
      if (need(container, `${path}.container`, errors, "must specify a container")) {
        validateDnsLabel(container, `${path}.container`, errors);
      }
      validateUsage(target, `${path}.target`, errors);
    }
  }
}

function validateExternal(source: MetricSpec["external"], path: string, errors: FieldError[]): void {
  validateIdentifier(source?.metric, `${path}.metric`, errors);
  validateTarget(source?.target, `${path}.target`, errors);
  needValue(source?.target, "must set either a target value for metric or a per-pod target", path, errors);
  if (source?.target?.value !== undefined && source.target.averageValue !== undefined) {
    const detail = "may not set both a target value for metric and a per-pod target";
    errors.push(forbiddenField(`${path}.target.value`, detail));
  }
}

function needValue(target: MetricTarget | undefined, detail: string, path: string, errors: FieldError[]): void {
  if (target?.value === undefined && target?.averageValue === undefined) {
    errors.push(requiredField(`${path}.target.averageValue`, detail));
  }
}

/** Target for the use of a resource: either a quantity or a percentage of the requests. */
function validateUsage(target: MetricTarget | undefined, path: string, errors: FieldError[]): void {
  validateTarget(target, path, errors);
  const hasShare = target?.averageUtilization !== undefined;
  const hasAmount = target?.averageValue !== undefined;
  if (!hasShare && !hasAmount) {
    const detail = "must set either a target raw value or a target utilization";
    errors.push(requiredField(`${path}.averageUtilization`, detail));
  }
  if (hasShare && hasAmount) {
    const detail = "may not set both a target raw value and a target utilization";
    errors.push(forbiddenField(`${path}.averageValue`, detail));
  }
}

function validateTarget(target: MetricTarget | undefined, path: string, errors: FieldError[]): void {
  const type: string = target?.type ?? "";
  if (type === "") errors.push(requiredField(`${path}.type`, "must specify a metric target type"));
  if (!MetricTargetType.includes(type)) {
    errors.push(invalidField(`${path}.type`, type, "must be either Utilization, Value, or AverageValue"));
  }
  for (const name of ["value", "averageValue"] as const) {
    const amount = target?.[name];
    if (target !== undefined && amount !== undefined && parseQuantity(amount).unscaled <= 0n) {
      errors.push(invalidField(`${path}.${name}`, shown(goQuantity(target, name)), "must be positive"));
    }
  }
  const share = target?.averageUtilization;
  if (share !== undefined && share < 1) {
    errors.push(invalidField(`${path}.averageUtilization`, share, "must be greater than 0"));
  }
}

function validateIdentifier(metric: MetricIdentifier | undefined, path: string, errors: FieldError[]): void {
  const name = metric?.name ?? "";
  if (!need(name, `${path}.name`, errors, "must specify a metric name")) return;
  errors.push(...invalidFields(`${path}.name`, name, checkPathSegment(name)));
}
