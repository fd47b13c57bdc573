import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { carryNotes } from "../../../runtime/go/source-notes.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { collectErrors, forbiddenField, invalidField } from "../../../runtime/values/field-errors.ts";
import { diffAs, shownAs } from "../../go-types.ts";
import type { PersistentVolume, PersistentVolumeSpec, VolumeNodeAffinity } from "./persistent-volume.ts";
import { VOLUME_SOURCES } from "./validation/persistent-volume-source.ts";
import { validatePersistentVolumeSpec } from "./validation/persistent-volume-spec.ts";

const MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";
const STABLE_LABELS: Readonly<Record<string, string>> = {
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
};
/** Volume sources that support the annotation for mount options. */
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

export function validatePersistentVolume(volume: PersistentVolume, old?: PersistentVolume): FieldError[] {
  return [...validateSpec(volume, old), ...validateMountOptions(volume)];
}

/** The volume source, `volumeMode` and `nodeAffinity` are immutable. */
export function validatePersistentVolumeChange(
  volume: PersistentVolume,
  old: PersistentVolume,
  featureEnabled: (gate: string) => boolean,
): FieldError[] {
  const [spec, before] = [volume.spec ?? {}, old.spec ?? {}];
  const errors = validateSpec(volume, old);
  const [source, oldSource] = [sourceOf(spec, before), sourceOf(before, before)];
  if (!equalMeaning(source, oldSource)) {
    const diff = diffAs("core.PersistentVolumeSource", oldSource, source);
    const detail = `spec.persistentvolumesource is immutable after creation\n${diff}`;
    errors.push(forbiddenField("spec.persistentvolumesource", detail));
  }
  if (spec.volumeMode !== before.volumeMode)
    errors.push(invalidField("volumeMode", spec.volumeMode, "field is immutable"));
  if (before.nodeAffinity !== undefined && !isSameAffinity(spec.nodeAffinity, before.nodeAffinity)) {
    const value = spec.nodeAffinity && shownAs("core.VolumeNodeAffinity", spec.nodeAffinity);
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

function validateSpec({ metadata, spec = {} }: PersistentVolume, old: PersistentVolume | undefined): FieldError[] {
  return collectErrors((errors) => validatePersistentVolumeSpec(spec, metadata?.name ?? "", "spec", errors, old?.spec));
}

function validateMountOptions({ metadata, spec = {} }: PersistentVolume): FieldError[] {
  const mountable = VOLUME_SOURCES.some((name) => spec[name] !== undefined && MOUNTABLE.has(name));
  if (mountable || metadata?.annotations?.[MOUNT_OPTIONS] === undefined) return [];
  const field = `metadata.annotations.${MOUNT_OPTIONS}`;
  return [forbiddenField(field, "may not specify mount options for this volume type")];
}

/** Whether two node affinities are equal, except that a beta label may become its stable name. */
function isSameAffinity(next: VolumeNodeAffinity | undefined, old: VolumeNodeAffinity): boolean {
  const terms = next?.required?.nodeSelectorTerms ?? [];
  const renamed = (old.required?.nodeSelectorTerms ?? []).map((term, index) => ({
    ...term,
    ...(term.matchExpressions && {
      matchExpressions: term.matchExpressions.map((requirement, position) => {
        const key = terms[index]?.matchExpressions?.[position]?.key;
        // Labels without stable name map to the empty string.
        return key !== undefined && (STABLE_LABELS[requirement.key] ?? "") === key
          ? { ...requirement, key }
          : requirement;
      }),
    }),
  }));
  return equalMeaning(next, old.required === undefined ? old : { required: { nodeSelectorTerms: renamed } });
}

/** The volume source. `controllerExpandSecretRef` is left out if the stored volume has none, because it may be added later. */
function sourceOf(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): Record<string, unknown> {
  const source = Object.fromEntries(VOLUME_SOURCES.map((name) => [name, spec[name]]));
  if (spec.csi !== undefined && old.csi !== undefined && old.csi.controllerExpandSecretRef === undefined) {
    const csi = { ...spec.csi, controllerExpandSecretRef: undefined };
    carryNotes(spec.csi, csi);
    source.csi = csi;
  }
  return source;
}
