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

/** Fields of a pod that the downward API can show to its containers, with a key for labels and annotations. */
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
const SUBSCRIPT = /^(.*)\['([^']*)'\]$/;

/** A field of the pod, one of `supported` or an entry of its labels or annotations. */
export function validateFieldReference(
  reference: ObjectFieldSelector,
  supported: readonly string[],
  path: string,
  errors: FieldError[],
): void {
  if (!need(reference.apiVersion, `${path}.apiVersion`, errors)) return;
  if (!need(reference.fieldPath, `${path}.fieldPath`, errors)) return;
  const { apiVersion, fieldPath } = reference;
  const [, field, key] = SUBSCRIPT.exec(fieldPath) ?? [];
  if (apiVersion !== "v1") {
    errors.push(
      invalidField(
        `${path}.fieldPath`,
        fieldPath,
        `error converting fieldPath: unsupported pod version: ${apiVersion}`,
      ),
    );
  } else if (field !== undefined && key !== undefined) {
    validateSubscript(field, key, fieldPath, path, errors);
  } else if (!KNOWN_FIELDS.has(fieldPath)) {
    errors.push(
      invalidField(
        `${path}.fieldPath`,
        fieldPath,
        `error converting fieldPath: field label not supported: ${fieldPath}`,
      ),
    );
  } else if (!supported.includes(fieldPath)) {
    errors.push(unsupportedField(`${path}.fieldPath`, fieldPath, supported));
  }
}

/** A limit or request of a container. */
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

/** One key of a ConfigMap or Secret. */
export function validateKeySelector(
  selector: { name?: string; key: string },
  path: string,
  errors: FieldError[],
): void {
  errors.push(...invalidFields(`${path}.name`, selector.name ?? "", checkSubdomain(selector.name ?? "")));
  if (need(selector.key, `${path}.key`, errors))
    errors.push(...invalidFields(`${path}.key`, selector.key, checkConfigMapKey(selector.key)));
}

function validateSubscript(field: string, key: string, fieldPath: string, path: string, errors: FieldError[]): void {
  if (field === "metadata.annotations")
    errors.push(...invalidFields(path, key.toLowerCase(), checkQualifiedName(key.toLowerCase())));
  else if (field === "metadata.labels") errors.push(...invalidFields(path, key, checkQualifiedName(key)));
  else if (KNOWN_FIELDS.has(field)) errors.push(invalidField(path, field, "does not support subscript"));
  else
    errors.push(
      invalidField(
        `${path}.fieldPath`,
        fieldPath,
        `error converting fieldPath: field label does not support subscript: ${fieldPath}`,
      ),
    );
}

function validateDivisor(resource: string, divisor: string, field: string, errors: FieldError[]): void {
  if (resource.endsWith(".cpu")) {
    if (!CPU_DIVISORS.has(divisor)) {
      errors.push(invalidField(field, resource, "only divisor's values 1m and 1 are supported with the cpu resource"));
    }
    return;
  }
  const kind = resource.endsWith(".memory")
    ? "memory resource"
    : resource.endsWith(".ephemeral-storage")
      ? "local ephemeral storage resource"
      : HUGE_PAGES.test(resource)
        ? "hugepages resource"
        : undefined;
  if (kind !== undefined && !BYTE_DIVISORS.has(divisor))
    errors.push(invalidField(field, resource, `${BYTE_DIVISORS_TEXT} ${kind}`));
}
