import { PersistentVolumeReclaimPolicy } from "../../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { truncatedQuantity } from "../../../../runtime/go/quantity.ts";
import { asGiven } from "../../../../runtime/go/source-notes.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../../runtime/values/field-errors.ts";
import { checkSubdomain } from "../../../../runtime/values/names.ts";
import { parseQuantity } from "../../../../runtime/values/quantity.ts";
import { shownAs } from "../../../go-types.ts";
import type { PersistentVolumeSpec } from "../persistent-volume.ts";
import type { ResourceList } from "../resources.ts";
import { VOLUME_MODES, validateAccessModes } from "./access-modes.ts";
import { validateVolumeSource } from "./persistent-volume-source.ts";
import { isUnsoundNodeSelector, validateNodeSelector } from "./scheduling.ts";

const RECLAIM_POLICIES = [...PersistentVolumeReclaimPolicy].sort();
const NOT_INLINE = "may not be specified in the context of inline volumes";

/** Validates the spec of a PersistentVolume. `old` is the spec before an update. */
export function validatePersistentVolumeSpec(
  spec: PersistentVolumeSpec,
  volumeName: string,
  path: string,
  errors: FieldError[],
  old?: PersistentVolumeSpec,
): void {
  validateModes(spec, path, errors);
  validateCapacity(asGiven(spec, "capacity"), `${path}.capacity`, errors);
  const policy = spec.persistentVolumeReclaimPolicy ?? "";
  if (policy !== "" && !RECLAIM_POLICIES.includes(policy))
    errors.push(unsupportedField(`${path}.persistentVolumeReclaimPolicy`, policy, RECLAIM_POLICIES));
  const isLenient = isUnsoundNodeSelector(old?.nodeAffinity?.required);
  validateAffinity(spec, isLenient, `${path}.nodeAffinity`, errors);
  validateSource(spec, volumeName, spec.nodeAffinity !== undefined, path, errors);
  const { storageClassName, volumeMode } = spec;
  if (storageClassName)
    errors.push(...invalidFields(`${path}.storageClassName`, storageClassName, checkSubdomain(storageClassName)));
  if (volumeMode !== undefined && !VOLUME_MODES.includes(volumeMode))
    errors.push(unsupportedField(`${path}.volumeMode`, volumeMode, VOLUME_MODES));
  validateAttributesClass(spec, path, errors);
}

/** Validates an inline volume of a VolumeAttachment: only CSI, without claim, capacity, storage class or node affinity. */
export function validateInlineVolumeSpec(spec: PersistentVolumeSpec, path: string, errors: FieldError[]): void {
  const refuse = (name: string, detail = NOT_INLINE) => errors.push(forbiddenField(`${path}.${name}`, detail));
  if (spec.claimRef !== undefined) refuse("claimRef");
  if (Object.keys(spec.capacity ?? {}).length > 0) refuse("capacity");
  if (spec.csi === undefined)
    errors.push(requiredField(`${path}.csi`, "has to be specified in the context of inline volumes"));
  validateModes(spec, path, errors);
  if (spec.persistentVolumeReclaimPolicy && spec.persistentVolumeReclaimPolicy !== "Retain")
    refuse("persistentVolumeReclaimPolicy", "may only be Retain in the context of inline volumes");
  if (spec.nodeAffinity !== undefined) refuse("nodeAffinity");
  validateSource(spec, "", false, path, errors);
  if (spec.storageClassName) refuse("storageClassName");
  if (spec.volumeMode !== undefined && spec.volumeMode !== "Filesystem")
    refuse("volumeMode", "may not specify volumeMode other than Filesystem in the context of inline volumes");
}

function validateModes({ accessModes }: PersistentVolumeSpec, path: string, errors: FieldError[]): void {
  if ((accessModes ?? []).length === 0) errors.push(requiredField(`${path}.accessModes`));
  validateAccessModes(accessModes, `${path}.accessModes`, errors);
}

function validateSource(
  spec: PersistentVolumeSpec,
  volumeName: string,
  isPlaced: boolean,
  path: string,
  errors: FieldError[],
): void {
  validateVolumeSource(spec, volumeName, isPlaced, path, errors);
  const isRoot = spec.hostPath !== undefined && /^\/(\.?\/)*\.?$/.test(spec.hostPath.path ?? "");
  if (isRoot && spec.persistentVolumeReclaimPolicy === "Recycle") {
    const detail = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbiddenField(`${path}.persistentVolumeReclaimPolicy`, detail));
  }
}

/** The capacity must contain `storage` and nothing else. */
function validateCapacity(capacity: ResourceList | undefined, path: string, errors: FieldError[]): void {
  const names = Object.keys(capacity ?? {});
  if (names.length === 0) errors.push(requiredField(path));
  if (names.length > 1 || names[0] !== "storage")
    errors.push(unsupportedField(path, shownAs("core.ResourceList", capacity), ["storage"]));
  for (const [name, amount] of Object.entries(capacity ?? {})) {
    const field = `${path}[${name}]`;
    const value = truncatedQuantity(capacity ?? {}, name, amount);
    if (value < 0n) errors.push(invalidField(field, value, "must be a valid resource quantity"));
    if (parseQuantity(amount).unscaled <= 0n) errors.push(invalidField(field, amount, "must be greater than zero"));
  }
}

function validateAffinity(
  { nodeAffinity }: PersistentVolumeSpec,
  isLenient: boolean,
  path: string,
  errors: FieldError[],
): void {
  if (nodeAffinity === undefined) return;
  const field = `${path}.required`;
  if (nodeAffinity.required === undefined) errors.push(requiredField(field, "must specify required node constraints"));
  else validateNodeSelector(nodeAffinity.required, field, errors, isLenient);
}

function validateAttributesClass(spec: PersistentVolumeSpec, path: string, errors: FieldError[]): void {
  const name = spec.volumeAttributesClassName;
  if (name === undefined) return;
  const field = `${path}.volumeAttributesClassName`;
  if (name === "") errors.push(requiredField(field, "an empty string is disallowed"));
  else errors.push(...invalidFields(field, name, checkSubdomain(name)));
  if (spec.csi === undefined)
    errors.push(requiredField(`${path}.csi`, "has to be specified when using volumeAttributesClassName"));
}
