import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { compareUtf8 } from "../../../runtime/lib/compare-utf8.ts";
import { equalJson } from "../../../runtime/lib/equal-json.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/lib/field-errors.ts";
import { goPointer, goQuantity, goStruct, shown } from "../../../runtime/lib/go-literal.ts";
import { goQuote } from "../../../runtime/lib/go-quote.ts";
import { checkSubdomain } from "../../../runtime/lib/names.ts";
import { parseQuantity, quantityAt } from "../../../runtime/lib/quantity.ts";
import type { PersistentVolume, PersistentVolumeSpec, VolumeNodeAffinity } from "./persistent-volume.ts";
import type { ResourceList } from "./resources.ts";
import { VOLUME_MODES, validateAccessModes } from "./validation/access-modes.ts";
import { VOLUME_SOURCES, validateVolumeSource } from "./validation/persistent-volume-source.ts";
import { validateNodeSelector } from "./validation/scheduling.ts";

const RECLAIM_POLICIES = ["Delete", "Recycle", "Retain"];
const MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";
const STABLE_LABELS: Readonly<Record<string, string>> = {
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
};
/** Kinds of storage that were always mounted with options, which once stood in an annotation. */
const MOUNTABLE = new Set<string>([
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
]);

export function validatePersistentVolume(volume: PersistentVolume): FieldError[] {
  return [...validateSpec(volume), ...validateMountOptions(volume)];
}

/** Everything about the storage itself is settled when the volume is created. */
export function validatePersistentVolumeChange(
  volume: PersistentVolume,
  old: PersistentVolume,
  featureEnabled: (gate: string) => boolean,
): FieldError[] {
  const [spec, before] = [volume.spec ?? {}, old.spec ?? {}];
  const errors = validateSpec(volume);
  if (!equalJson(sourceOf(spec, before), sourceOf(before, before))) {
    const detail = "spec.persistentvolumesource is immutable after creation\n";
    errors.push(forbiddenField("spec.persistentvolumesource", detail));
  }
  if (spec.volumeMode !== before.volumeMode)
    errors.push(invalidField("volumeMode", spec.volumeMode, "field is immutable"));
  if (before.nodeAffinity !== undefined && !isSameAffinity(spec.nodeAffinity, before.nodeAffinity)) {
    const value = spec.nodeAffinity && shown(goAffinity(spec.nodeAffinity));
    const detail = "field is immutable, except for updating from beta label to GA";
    errors.push(invalidField("nodeAffinity", value, detail));
  }
  if (spec.volumeAttributesClassName !== before.volumeAttributesClassName) {
    const field = "spec.volumeAttributesClassName";
    if (!featureEnabled("VolumeAttributesClass")) {
      const detail = "update is forbidden when the VolumeAttributesClass feature gate is disabled";
      errors.push(forbiddenField(field, detail));
    }
    if (spec.volumeAttributesClassName === undefined)
      errors.push(forbiddenField(field, "update from non-nil value to nil is forbidden"));
  }
  return errors;
}

function validateSpec({ metadata, spec = {} }: PersistentVolume): FieldError[] {
  const errors: FieldError[] = [];
  if ((spec.accessModes ?? []).length === 0) errors.push(requiredField("spec.accessModes"));
  validateAccessModes(spec.accessModes, "spec.accessModes", errors);
  validateCapacity(spec.capacity, errors);
  const policy = spec.persistentVolumeReclaimPolicy ?? "";
  if (policy !== "" && !RECLAIM_POLICIES.includes(policy))
    errors.push(unsupportedField("spec.persistentVolumeReclaimPolicy", policy, RECLAIM_POLICIES));
  validateAffinity(spec, errors);
  validateVolumeSource(spec, metadata?.name ?? "", "spec", errors);
  if (policy === "Recycle" && spec.hostPath !== undefined && /^\/(\.?\/)*\.?$/.test(spec.hostPath.path ?? "")) {
    const detail = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbiddenField("spec.persistentVolumeReclaimPolicy", detail));
  }
  validateClassNames(spec, errors);
  return errors;
}

/** A volume has a size and nothing else. */
function validateCapacity(capacity: ResourceList | undefined, errors: FieldError[]): void {
  const names = Object.keys(capacity ?? {}).sort(compareUtf8);
  if (names.length === 0) errors.push(requiredField("spec.capacity"));
  if (names.length > 1 || names[0] !== "storage") {
    const members = names.map((name) => `${goQuote(name)}:${goQuantity(capacity?.[name] ?? "0")}`);
    const value = `core.ResourceList${capacity === undefined ? "(nil)" : `{${members.join(", ")}}`}`;
    errors.push(unsupportedField("spec.capacity", shown(value), ["storage"]));
  }
  for (const name of names) {
    const amount = capacity?.[name] ?? "0";
    const quantity = parseQuantity(amount);
    const field = `spec.capacity[${name}]`;
    if (quantity.unscaled < 0n)
      errors.push(invalidField(field, quantityAt(quantity), "must be a valid resource quantity"));
    if (quantity.unscaled <= 0n) errors.push(invalidField(field, amount, "must be greater than zero"));
  }
}

function validateAffinity({ nodeAffinity }: PersistentVolumeSpec, errors: FieldError[]): void {
  if (nodeAffinity === undefined) return;
  const field = "spec.nodeAffinity.required";
  if (nodeAffinity.required === undefined) errors.push(requiredField(field, "must specify required node constraints"));
  else validateNodeSelector(nodeAffinity.required, field, errors);
}

function validateClassNames(spec: PersistentVolumeSpec, errors: FieldError[]): void {
  const { storageClassName, volumeMode, volumeAttributesClassName } = spec;
  if (storageClassName)
    errors.push(...invalidFields("spec.storageClassName", storageClassName, checkSubdomain(storageClassName)));
  if (volumeMode !== undefined && !VOLUME_MODES.includes(volumeMode))
    errors.push(unsupportedField("spec.volumeMode", volumeMode, VOLUME_MODES));
  if (volumeAttributesClassName === undefined) return;
  const field = "spec.volumeAttributesClassName";
  if (volumeAttributesClassName === "") errors.push(requiredField(field, "an empty string is disallowed"));
  else errors.push(...invalidFields(field, volumeAttributesClassName, checkSubdomain(volumeAttributesClassName)));
  if (spec.csi === undefined)
    errors.push(requiredField("spec.csi", "has to be specified when using volumeAttributesClassName"));
}

function validateMountOptions({ metadata, spec = {} }: PersistentVolume): FieldError[] {
  const mountable = VOLUME_SOURCES.some((name) => spec[name] !== undefined && MOUNTABLE.has(name));
  if (mountable || metadata?.annotations?.[MOUNT_OPTIONS] === undefined) return [];
  const field = `metadata.annotations.${MOUNT_OPTIONS}`;
  return [forbiddenField(field, "may not specify mount options for this volume type")];
}

function goAffinity({ required }: VolumeNodeAffinity): string {
  return goStruct("core.VolumeNodeAffinity", { Required: goPointer("core.NodeSelector", required) });
}

/** Nodes may be selected by the stable name of a label that had a beta one before. */
function isSameAffinity(next: VolumeNodeAffinity | undefined, old: VolumeNodeAffinity): boolean {
  const terms = next?.required?.nodeSelectorTerms ?? [];
  const renamed = (old.required?.nodeSelectorTerms ?? []).map((term, index) => ({
    ...term,
    ...(term.matchExpressions && {
      matchExpressions: term.matchExpressions.map((requirement, position) => {
        const key = terms[index]?.matchExpressions?.[position]?.key;
        return key !== undefined && STABLE_LABELS[requirement.key] === key ? { ...requirement, key } : requirement;
      }),
    }),
  }));
  return equalJson(next, old.required === undefined ? old : { required: { nodeSelectorTerms: renamed } });
}

/** The storage of a volume; a secret to grow it with may be added later. */
function sourceOf(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): Record<string, unknown> {
  const source = Object.fromEntries(VOLUME_SOURCES.map((name) => [name, spec[name]]));
  if (spec.csi !== undefined && old.csi !== undefined && old.csi.controllerExpandSecretRef === undefined)
    source.csi = { ...spec.csi, controllerExpandSecretRef: undefined };
  return source;
}
