import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import {
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../../runtime/values/field-errors.ts";
import { checkConfigMapKey } from "../../../../runtime/values/formats.ts";
import { checkQualifiedName, checkSubdomain } from "../../../../runtime/values/names.ts";
import { parseQuantity } from "../../../../runtime/values/quantity.ts";
import type { ObjectFieldSelector, ResourceFieldSelector } from "../environment.ts";
import { need } from "./basics.ts";

const RESOURCE_FIELDS = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];
const HUGE_PAGES = /^(limits|requests)\.hugepages-/;
const CPU_DIVISORS = new Set(["1m", "1"]);
const BYTE_DIVISORS = new Set(["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"]);
const BYTE_DIVISORS_TEXT =
  "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the";

/** Fields of a pod that the downward API can expose to its containers; labels and annotations as a whole or by key. */
const KNOWN_FIELDS = new Set([
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.serviceAccountName",
  "spec.schedulerName",
  "status.phase",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);
/** Fields whose entries are selected by a key in brackets. */
const SUBSCRIPTED = ["metadata.annotations", "metadata.labels"];
/** Former names of fields. */
const FORMER_FIELDS: ReadonlyMap<string, string> = new Map([["spec.host", "spec.nodeName"]]);

/** Validates a reference to a field of the pod: one of `supported`, or an entry of its labels or annotations. */
export function validateFieldReference(
  reference: ObjectFieldSelector,
  supported: readonly string[],
  path: string,
  errors: FieldError[],
): void {
  if (!need(reference.apiVersion, `${path}.apiVersion`, errors)) return;
  if (!need(reference.fieldPath, `${path}.fieldPath`, errors)) return;
  const { apiVersion, fieldPath } = reference;
  const entry = splitSubscript(fieldPath);
  const field = FORMER_FIELDS.get(fieldPath) ?? fieldPath;
  const refuse = (why: string) =>
    errors.push(invalidField(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`));
  if (apiVersion !== "v1") {
    refuse(`unsupported pod version: ${apiVersion}`);
  } else if (entry !== undefined) {
    if (!SUBSCRIPTED.includes(entry.field)) refuse(`field label does not support subscript: ${fieldPath}`);
    else validateSubscript(entry, path, errors);
  } else if (!KNOWN_FIELDS.has(field)) {
    refuse(`field label not supported: ${fieldPath}`);
  } else if (!supported.includes(field)) {
    errors.push(unsupportedField(`${path}.fieldPath`, field, supported));
  }
}

/** Validates a reference to a limit or request of a container. */
export function validateResourceReference(
  reference: ResourceFieldSelector,
  needsContainer: boolean,
  path: string,
  errors: FieldError[],
): void {
  const { resource, containerName, divisor } = reference;
  if (needsContainer && !containerName) errors.push(requiredField(`${path}.containerName`));
  else if (!resource) errors.push(requiredField(`${path}.resource`));
  else if (!RESOURCE_FIELDS.includes(resource) && !HUGE_PAGES.test(resource)) {
    errors.push(unsupportedField(`${path}.resource`, resource, RESOURCE_FIELDS));
  }
  if (divisor !== undefined && parseQuantity(divisor).unscaled !== 0n)
    validateDivisor(resource ?? "", divisor, `${path}.divisor`, errors);
}

/** Validates a reference to one key of a ConfigMap or Secret. */
export function validateKeySelector(
  selector: { name?: string; key: string },
  path: string,
  errors: FieldError[],
): void {
  errors.push(...invalidFields(`${path}.name`, selector.name ?? "", checkSubdomain(selector.name ?? "")));
  if (need(selector.key, `${path}.key`, errors))
    errors.push(...invalidFields(`${path}.key`, selector.key, checkConfigMapKey(selector.key)));
}

interface Entry {
  readonly field: string;
  readonly key: string;
}

/** Splits `field['key']`; returns undefined for any other path. */
function splitSubscript(fieldPath: string): Entry | undefined {
  const start = fieldPath.indexOf("['");
  if (start <= 0 || !fieldPath.endsWith("']") || start + 4 > fieldPath.length) return undefined;
  return { field: fieldPath.slice(0, start), key: fieldPath.slice(start + 2, -2) };
}

function validateSubscript({ field, key }: Entry, path: string, errors: FieldError[]): void {
  const name = field === "metadata.annotations" ? key.toLowerCase() : key;
  errors.push(...invalidFields(path, name, checkQualifiedName(name)));
}

function validateDivisor(resource: string, divisor: string, field: string, errors: FieldError[]): void {
  const isHugePages = HUGE_PAGES.test(resource);
  if (!isHugePages && !RESOURCE_FIELDS.includes(resource)) return;
  if (!isHugePages && resource.endsWith(".cpu")) {
    if (!CPU_DIVISORS.has(divisor)) {
      errors.push(invalidField(field, resource, "only divisor's values 1m and 1 are supported with the cpu resource"));
    }
    return;
  }
  const kind = isHugePages
    ? "hugepages resource"
    : resource.endsWith(".memory")
      ? "memory resource"
      : "local ephemeral storage resource";
  if (!BYTE_DIVISORS.has(divisor)) errors.push(invalidField(field, resource, `${BYTE_DIVISORS_TEXT} ${kind}`));
}
