import type { ApiObject } from "../contract/api-object.ts";
import type { ParsedSelector, RequestSelectors } from "../contract/request-info.ts";
import type { FieldRequirement, LabelRequirement } from "../contract/selector.ts";
import { goQuote } from "../go/quote.ts";
import type { ServedResource } from "../kinds/served-resource.ts";
import { getOwn } from "../lib/json-object.ts";
import { compileGetter } from "../values/json-path.ts";
import { compileLabelSelector } from "../values/label-selector.ts";
import { badRequest } from "../values/status-errors.ts";
import type { CachedObject } from "../watch/cached-object.ts";
import type { Selector, SelectorHint } from "../watch/requests.ts";

/** Compiles the selectors of a request; undefined selects all objects. Throws 400 for invalid selectors. */
export function readSelection(
  { fieldSelector, labelSelector }: RequestSelectors,
  resource: ServedResource,
): Selector | undefined {
  const labels = requirementsOf(labelSelector);
  const fields = withCurrentNames(requirementsOf(fieldSelector), resource);
  if (labels.length === 0 && fields.length === 0) {
    return undefined;
  }
  const tests = compileFields(fields, resource);
  const matchLabels = compileLabelSelector(labels);
  const matches = (object: CachedObject): boolean =>
    (labels.length === 0 || matchLabels(object.labels)) && tests.every((test) => test(object));
  const hint = findHint(labels, fields, resource);
  const reads = fields.length === 0 ? undefined : readsOf(fields, resource);
  return { matches, ...(hint && { hint }), ...(reads && { reads }) };
}

function withCurrentNames(fields: readonly FieldRequirement[], { hooks }: ServedResource): readonly FieldRequirement[] {
  const former = hooks.compatibility?.formerFields;
  if (former === undefined) return fields;
  return fields.map((one) => ({ ...one, field: getOwn(former, one.field) ?? one.field }));
}

/** Returns whether the bytes of an object must be read to get its fields. */
function readsOf(fields: readonly FieldRequirement[], { stored }: ServedResource): Test {
  const names = [...new Set(fields.map(({ field }) => field))];
  if (!names.every((name) => stored.selectableFields.has(name))) return (object) => object.isCold;
  return (object) => names.some((name) => object.readsField(name));
}

/** The requirements of a selector; empty if there is no selector. Throws 400 if it is invalid. */
export function requirementsOf<T>(selector: ParsedSelector<T> | undefined): readonly T[] {
  if (selector === undefined) return [];
  if (selector.error !== undefined) throw badRequest(selector.error.message);
  return selector.requirements;
}

type Test = (object: CachedObject) => boolean;

/** Compiles one test per field, even if several requirements name it. */
function compileFields(requirements: readonly FieldRequirement[], resource: ServedResource): Test[] {
  const byField = new Map<string, FieldRequirement[]>();
  for (const requirement of requirements) {
    const others = byField.get(requirement.field);
    if (others === undefined) byField.set(requirement.field, [requirement]);
    else others.push(requirement);
  }
  return [...byField].map(([field, some]) => {
    const read = compileField(field, resource);
    const excluded = new Set(some.filter(({ equal }) => !equal).map(({ value }) => value));
    const wanted = some.find(({ equal }) => equal)?.value;
    if (some.some(({ equal, value }) => equal && value !== wanted)) return () => false;
    return (object) => {
      const value = read(object);
      return (wanted === undefined || value === wanted) && !excluded.has(value);
    };
  });
}

/** Compiles the getter of a field. Throws 400 for a field that selectors do not support. */
function compileField(field: string, resource: ServedResource): (object: CachedObject) => string {
  const allowed = selectableFields(resource);
  const { hooks, stored, apiVersion, descriptor } = resource;
  const hasOwnWords = descriptor.custom !== undefined || allowed.size > 2;
  // Cluster-scoped kinds that declare their selectable fields do not support `metadata.namespace`.
  if (!allowed.has(field) || (hasOwnWords && !stored.namespaced && field === "metadata.namespace")) {
    const said = (hooks.compatibility?.unknownField ?? stored.hooks.compatibility?.unknownField)?.(field, apiVersion);
    throw badRequest(said ?? unknownField(field, hasOwnWords));
  }
  if (resource.stored.selectableFields.has(field)) {
    return (object) => object.field(field) ?? "";
  }
  // Only this version has a field with this name: reads the object in this version.
  const read = compileGetter(`.${field}`);
  return (object) => String(read(resource.fromStored(object.object as unknown as ApiObject)) ?? "");
}

/** The fields that selectors support in the version of the request. */
function selectableFields({ descriptor, stored, isStoredVersion }: ServedResource): ReadonlySet<string> {
  return isStoredVersion
    ? stored.selectableFields
    : new Set(["metadata.name", "metadata.namespace", ...descriptor.selectableFields]);
}

function findHint(
  labels: readonly LabelRequirement[],
  fields: readonly FieldRequirement[],
  { stored }: ServedResource,
): SelectorHint | undefined {
  const label = labels.find(({ operator, values }) => operator === "in" && values.length === 1);
  if (label !== undefined) {
    return { kind: "label", name: label.key, value: label.values[0] ?? "" };
  }
  const field = fields.find(({ equal, field: name }) => equal && stored.selectableFields.has(name));
  return field === undefined ? undefined : { kind: "field", name: field.field, value: field.value };
}

/** Custom kinds, and kinds that declare selectable fields, have a different message. */
function unknownField(field: string, hasOwnWords: boolean): string {
  return hasOwnWords
    ? `field label not supported: ${field}`
    : `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}
