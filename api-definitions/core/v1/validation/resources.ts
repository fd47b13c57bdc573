import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { goQuantity, shown } from "../../../../runtime/go/literal.ts";
import { Verbatim } from "../../../../runtime/go/verbatim.ts";
import { getOwn } from "../../../../runtime/lib/json-object.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  invalidFields,
  notFoundField,
  requiredField,
} from "../../../../runtime/values/field-errors.ts";
import { checkQualifiedName } from "../../../../runtime/values/names.ts";
import { compareQuantities, parseQuantity, type Quantity, quantityAt } from "../../../../runtime/values/quantity.ts";
import type { ResourceList, ResourceRequirements } from "../resources.ts";
import { validateDnsLabel, validateNonNegativeQuantity } from "./basics.ts";

const CONTAINER_RESOURCES = new Set(["cpu", "memory", "ephemeral-storage"]);
const HUGE_PAGES = "hugepages-";
const NATIVE_DOMAIN = /(^|\.)kubernetes\.io\//;
const REQUESTS_PREFIX = "requests.";
/** All standard resource names without a domain. */
const STANDARD = new Set([
  ...CONTAINER_RESOURCES,
  "storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "requests.storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);
const WHOLE_NUMBERS = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

/** Whether the resource belongs to Kubernetes: it has no domain, or one in `kubernetes.io`. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || NATIVE_DOMAIN.test(name);
}

/** Whether the resource is an extended one, offered by a device plugin or a node: counted in integers, and not overcommitted. */
function isExtendedResource(name: string): boolean {
  return (
    !isNativeResource(name) &&
    !name.startsWith(REQUESTS_PREFIX) &&
    checkQualifiedName(`${REQUESTS_PREFIX}${name}`).length === 0
  );
}

function isStandardResource(name: string): boolean {
  return STANDARD.has(name) || isHugePages(name) || name.startsWith(`${REQUESTS_PREFIX}${HUGE_PAGES}`);
}

/** Whether a quota can limit the resource. */
export function isStandardQuotaResource(name: string): boolean {
  return name !== "storage" && isStandardResource(name);
}

/** Validates a resource name: a qualified name, or a standard name if it has no domain. */
export function validateResourceName(
  name: string,
  field: string,
  errors: FieldError[],
  value: unknown = new Verbatim(name),
): boolean {
  const problems = checkQualifiedName(name);
  errors.push(...invalidFields(field, value, problems));
  if (problems.length > 0) return false;
  if (name.includes("/") || isStandardResource(name)) return true;
  errors.push(invalidField(field, new Verbatim(name), "must be a standard resource type or fully qualified"));
  return false;
}

const SMALL_COUNT = /^\d{1,9}$/;

/** Validates a quantity: not negative, and an integer for resources that are counted. */
export function validateResourceAmount(
  name: string,
  amounts: ResourceList,
  key: string,
  field: string,
  errors: FieldError[],
): void {
  const amount = amounts[key] ?? "0";
  if (SMALL_COUNT.test(amount)) return;
  validateNonNegativeQuantity(amount, field, errors);
  if ((WHOLE_NUMBERS.has(name) || isExtendedResource(name)) && !isCountable(amount)) {
    errors.push(invalidField(field, shown(goQuantity(amounts, key)), "must be an integer"));
  }
}

function isCountable(amount: string): boolean {
  return thousandths(parseQuantity(amount)) % 1000n === 0n;
}

/** Powers of ten by which Kubernetes multiplies without an overflow check. */
const UNCHECKED_POWERS = [1, 2, 3, 6, 9];

/**
 * Returns the quantity in thousandths as Kubernetes computes them in 64 bits. On overflow the result wraps around, which usually makes the
 * quantity look fractional, or is 0 where Kubernetes detects the overflow.
 */
function thousandths(quantity: Quantity): bigint {
  const exact = quantityAt(quantity, -3);
  const kept = BigInt.asIntN(64, exact);
  return exact === kept || quantity.isBig === true || UNCHECKED_POWERS.includes(quantity.scale + 3) ? kept : 0n;
}

/** Resource claims of a pod that its containers can reference, and the list of them for error messages. */
export interface PodClaims {
  readonly names: ReadonlySet<string>;
  readonly listed: string;
}

/** Maximum length of the list of claims in characters: every error about an unknown claim repeats it. */
const LONGEST_LIST = 1000;

export function podClaims(claims: readonly { readonly name: string }[] = []): PodClaims {
  const names = new Set(claims.map(({ name }) => name).filter((name) => name !== ""));
  if (names.size === 0) return { names, listed: "pod.spec.resourceClaims which is empty" };
  const all = [...names].sort().join(", ");
  const some = all.length > LONGEST_LIST ? `${all.slice(0, LONGEST_LIST)}…` : all;
  return { names, listed: `pod.spec.resourceClaims: ${some}` };
}

const NO_CLAIMS = podClaims();

type ResourceNameCheck = (name: string, field: string, errors: FieldError[]) => void;

export function validateContainerResources(
  requirements: ResourceRequirements | undefined,
  claims: PodClaims | undefined,
  path: string,
  errors: FieldError[],
  { hugePages: isLenient }: { readonly hugePages: boolean } = { hugePages: false },
  validateName: ResourceNameCheck = validateContainerResourceName,
): void {
  const limits = Object.entries(requirements?.limits ?? {}).sort(byName);
  const requests = Object.entries(requirements?.requests ?? {}).sort(byName);
  const validate = (name: string, amount: string, list: "limits" | "requests") => {
    const field = `${path}.${list}[${name}]`;
    validateName(name, field, errors);
    validateResourceAmount(name, requirements?.[list] ?? {}, name, field, errors);
    if (list === "requests")
      validateRequestAgainstLimit(name, amount, getOwn(requirements?.limits, name), path, errors);
    if (!isLenient && isIndivisible(name, amount)) errors.push(indivisible(name, amount, field));
  };
  for (const [name, amount] of limits) validate(name, amount, "limits");
  for (const [name, amount] of requests) validate(name, amount, "requests");
  const names = [...limits, ...requests].map(([name]) => name);
  if (names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory")) {
    errors.push(forbiddenField(path, "HugePages require cpu or memory"));
  }
  validateClaims(requirements?.claims ?? [], claims ?? NO_CLAIMS, `${path}.claims`, errors);
}

/** Validates the name of a resource that containers can request. `value` is how errors show a name that is not qualified. */
export function validateContainerResourceName(
  name: string,
  field: string,
  errors: FieldError[],
  value: unknown = new Verbatim(name),
): void {
  validateResourceName(name, field, errors, value);
  if (!name.includes("/")) {
    if (!CONTAINER_RESOURCES.has(name) && !isHugePages(name))
      errors.push(invalidField(field, new Verbatim(name), "must be a standard resource for containers"));
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalidField(field, new Verbatim(name), "doesn't follow extended resource name standard"));
  }
}

function validateRequestAgainstLimit(
  name: string,
  request: string,
  limit: string | undefined,
  path: string,
  errors: FieldError[],
): void {
  const overcommit = isNativeResource(name) && !isHugePages(name);
  if (limit === undefined) {
    if (!overcommit) errors.push(requiredField(`${path}.limits`, "Limit must be set for non overcommitable resources"));
    return;
  }
  const order = compareQuantities(parseQuantity(request), parseQuantity(limit));
  if (order !== 0 && !overcommit)
    errors.push(invalidField(`${path}.requests`, request, `must be equal to ${name} limit of ${limit}`));
  else if (order > 0)
    errors.push(invalidField(`${path}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`));
}

/** Whether a quantity of huge pages is not a multiple of the page size. Always true if the page size in the name is invalid. */
export function isIndivisible(name: string, amount: string): boolean {
  if (!isHugePages(name)) return false;
  const size = pageSizeOf(name);
  return size === undefined || quantityAt(parseQuantity(amount)) % size !== 0n;
}

/** Returns the page size in bytes from the name of the resource; undefined if it is not a positive integer. */
function pageSizeOf(name: string): bigint | undefined {
  let size: Quantity;
  try {
    size = parseQuantity(name.slice(HUGE_PAGES.length));
  } catch {
    return undefined;
  }
  return size.unscaled > 0n && thousandths(size) % 1000n === 0n ? quantityAt(size) : undefined;
}

function indivisible(name: string, amount: string, field: string): FieldError {
  return invalidField(field, amount, `${amount} is not positive integer multiple of ${name}`);
}

/** Validates references to claims of the pod, each to a whole claim or to one request of it. Rejects duplicates. */
function validateClaims(
  claims: readonly { name: string; request?: string }[],
  known: PodClaims,
  path: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  /** Number of seen references by the name before their first slash. */
  const requestsOf = new Map<string, number>();
  for (const [index, { name, request }] of claims.entries()) {
    const at = `${path}[${index}]`;
    if (!name) {
      errors.push(requiredField(at));
      continue;
    }
    if (seen.has(name)) {
      errors.push(duplicateField(at, name));
    } else {
      if (request) validateDnsLabel(request, `${at}.request`, errors);
      const key = request ? `${name}/${request}` : name;
      if (seen.has(key)) errors.push(duplicateField(at, key));
      else if (!request) for (let i = requestsOf.get(name) ?? 0; i > 0; i--) errors.push(duplicateField(at, name));
      const slash = key.indexOf("/");
      if (slash >= 0 && !seen.has(key)) increment(requestsOf, key.slice(0, slash));
      seen.add(key);
    }
    if (known.names.has(name)) continue;
    const missing = notFoundField(at, name);
    errors.push({ ...missing, message: `${missing.message}: must be one of the names in ${known.listed}` });
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function byName([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
