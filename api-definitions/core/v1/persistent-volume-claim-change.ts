import { ClaimResourceStatus } from "../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { shown } from "../../../runtime/go/literal.ts";
import { truncatedQuantity } from "../../../runtime/go/quantity.ts";
import { carryNotes } from "../../../runtime/go/source-notes.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkQualifiedName } from "../../../runtime/values/names.ts";
import { compareQuantities, parseQuantity } from "../../../runtime/values/quantity.ts";
import { diffAs } from "../../go-types.ts";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "./persistent-volume-claim.ts";
import type { ResourceList } from "./resources.ts";
import { isNativeResource, validateResourceAmount } from "./validation/resources.ts";

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const SIZE = "spec.resources.requests.storage";
const RESIZE_STATES = [...ClaimResourceStatus].sort();

/** The spec is immutable, except that bound claims may change their size and volume attributes class. */
export function validateClaimChange(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  featureEnabled: (gate: string) => boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const [spec, before] = [claim.spec ?? {}, old.spec ?? {}];
  const annotation = claim.metadata?.annotations?.[CLASS_ANNOTATION];
  const oldAnnotation = old.metadata?.annotations?.[CLASS_ANNOTATION];
  const moved = movesClassFromAnnotation(claim, old);
  if (!moved && (annotation ?? "") !== (oldAnnotation ?? "")) {
    const field = `metadata.annotations.${CLASS_ANNOTATION}`;
    errors.push(invalidField(field, annotation ?? "", "field is immutable"));
  }
  const firstClass =
    before.storageClassName === undefined && (oldAnnotation ?? spec.storageClassName) === spec.storageClassName;
  const changed = {
    ...spec,
    ...((moved || firstClass) && { storageClassName: before.storageClassName }),
    ...(claim.status?.phase === "Bound" && withOldSettings(spec, before)),
  };
  carryNotes(spec, changed);
  // `volumeName` may be set once.
  const unbound = before.volumeName ? before : { ...before, volumeName: spec.volumeName };
  if (!equalMeaning(changed, unbound)) {
    const exceptions = "resources.requests and volumeAttributesClassName for bound claims";
    const diff = diffAs("core.PersistentVolumeClaimSpec", unbound, changed);
    errors.push(forbiddenField("spec", `spec is immutable after creation except ${exceptions}\n${diff}`));
  }
  validateShrinking(claim, old, featureEnabled, errors);
  if (spec.volumeMode !== before.volumeMode)
    errors.push(invalidField("volumeMode", spec.volumeMode, "field is immutable"));
  validateAttributesClass(spec, before, featureEnabled, errors);
  return errors;
}

export function validateClaimStatus(claim: PersistentVolumeClaim): FieldError[] {
  const errors: FieldError[] = [];
  const { capacity = {}, allocatedResourceStatuses = {}, allocatedResources = {} } = claim.status ?? {};
  if ((claim.spec?.accessModes ?? []).length === 0) errors.push(requiredField("Spec.accessModes"));
  for (const name of Object.keys(capacity)) validateSize(capacity, name, `status.capacity[${name}]`, errors);
  for (const [name, state] of Object.entries(allocatedResourceStatuses)) {
    const field = "status.allocatedResourceStatus";
    validateResourceKey(name, field, errors);
    if (!RESIZE_STATES.includes(state)) errors.push(unsupportedField(field, shown(name), RESIZE_STATES));
  }
  for (const name of Object.keys(allocatedResources)) {
    const field = "status.allocatedResources";
    if (!validateResourceKey(name, field, errors)) continue;
    if (validateSize(allocatedResources, name, `${field}[${name}]`, errors))
      validateResourceAmount("storage", allocatedResources, name, `${field}[${name}]`, errors);
  }
  return errors;
}

/** The storage class may move from the deprecated annotation to `storageClassName`. */
function movesClassFromAnnotation(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const before = old.metadata?.annotations?.[CLASS_ANNOTATION];
  const after = claim.metadata?.annotations?.[CLASS_ANNOTATION];
  return (
    before !== undefined &&
    old.spec?.storageClassName === undefined &&
    claim.spec?.storageClassName === before &&
    (after === undefined || after === before)
  );
}

function withOldSettings(spec: PersistentVolumeClaimSpec, old: PersistentVolumeClaimSpec) {
  return {
    ...(spec.resources?.requests && {
      resources: {
        ...spec.resources,
        requests: { ...spec.resources.requests, storage: old.resources?.requests?.storage },
      },
    }),
    ...(spec.volumeAttributesClassName !== undefined && { volumeAttributesClassName: old.volumeAttributesClassName }),
  };
}

/** A request may be reduced while an expansion is failing, but not to or below the current capacity. */
function validateShrinking(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  featureEnabled: (gate: string) => boolean,
  errors: FieldError[],
): void {
  const size = parseQuantity(claim.spec?.resources?.requests?.storage ?? "0");
  if (compareQuantities(size, parseQuantity(old.spec?.resources?.requests?.storage ?? "0")) >= 0) return;
  const recovers =
    featureEnabled("RecoverVolumeExpansionFailure") ||
    old.status?.allocatedResources !== undefined ||
    old.status?.allocatedResourceStatuses !== undefined;
  if (!recovers) errors.push(forbiddenField(SIZE, "field can not be less than previous value"));
  else if (compareQuantities(size, parseQuantity(old.status?.capacity?.storage ?? "0")) <= 0)
    errors.push(forbiddenField(SIZE, "field can not be less than status.capacity"));
}

function validateAttributesClass(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec,
  featureEnabled: (gate: string) => boolean,
  errors: FieldError[],
): void {
  const [next, before] = [spec.volumeAttributesClassName, old.volumeAttributesClassName];
  if (next === before) return;
  const refuse = (detail: string) => errors.push(forbiddenField("spec.volumeAttributesClassName", detail));
  if (!featureEnabled("VolumeAttributesClass"))
    refuse("update is forbidden when the VolumeAttributesClass feature gate is disabled");
  if (before === undefined) return;
  if (next === undefined) refuse("update from non-nil value to nil is forbidden");
  else if (next === "") refuse("update from non-nil value to an empty string is forbidden");
}

/** Of the native resources, volumes have `storage` only. */
function validateResourceKey(name: string, field: string, errors: FieldError[]): boolean {
  const problems = checkQualifiedName(name);
  errors.push(...invalidFields(field, name, problems));
  if (problems.length > 0) return false;
  if (!isNativeResource(name) || name === "storage") return true;
  errors.push(unsupportedField(field, name, ["storage"]));
  return false;
}

function validateSize(list: ResourceList, name: string, field: string, errors: FieldError[]): boolean {
  const value = truncatedQuantity(list, name, list[name] ?? "0");
  if (value >= 0n) return true;
  errors.push(invalidField(field, value, "must be a valid resource quantity"));
  return false;
}
