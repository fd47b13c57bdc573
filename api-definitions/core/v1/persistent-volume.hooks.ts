import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { formatTime } from "../../../runtime/values/times.ts";
import { dropAttributesClass } from "./attributes-class.ts";
import { warnOfNodeTerm } from "./deprecated-node-labels.ts";
import type { PersistentVolume } from "./persistent-volume.ts";
import { validatePersistentVolume, validatePersistentVolumeChange } from "./persistent-volume-validation.ts";
import { roundToMillis } from "./pod-defaults.ts";
import { accessModesText, storageClassOf } from "./volume-text.ts";

export const hooks = kindHooks<PersistentVolume>({
  // These defaults do not apply to volumes inside other objects.
  default: (volume) => {
    const spec = (volume.spec ??= {});
    spec.persistentVolumeReclaimPolicy ||= "Retain";
    spec.volumeMode ??= "Filesystem";
    roundToMillis(spec.capacity);
  },
  validate: (volume, { old }) => validatePersistentVolume(volume, old),
  warn: (volume, { subresource }) => (subresource === undefined ? warnOfVolume(volume) : []),
  cells: ({ metadata, spec, status }) => ({
    Capacity: spec?.capacity?.storage ?? "0",
    "Access Modes": accessModesText(spec?.accessModes),
    Status: metadata?.deletionTimestamp ? "Terminating" : (status?.phase ?? ""),
    Claim: spec?.claimRef ? `${spec.claimRef.namespace ?? ""}/${spec.claimRef.name ?? ""}` : "",
    StorageClass: storageClassOf(metadata, spec?.storageClassName),
    VolumeAttributesClass: spec?.volumeAttributesClassName ?? "<unset>",
    VolumeMode: spec?.volumeMode ?? "<unset>",
  }),
  validation: {
    update: (volume, old, { featureEnabled }) => validatePersistentVolumeChange(volume, old, featureEnabled),
    subresources: { status: () => [] },
  },
  lifecycle: {
    prepareForCreate: (volume, context) => {
      volume.status = { phase: "Pending", lastPhaseTransitionTime: formatTime(context.now()) };
      dropAttributesClass(volume.spec, undefined, context);
    },
    /** Sets `lastPhaseTransitionTime` when the phase changes, unless the client sets it. */
    prepareForUpdate: ({ spec, status }, old, context) => {
      const { subresource, now } = context;
      if (subresource === undefined) dropAttributesClass(spec, old.spec, context);
      if (subresource !== "status" || status === undefined) return;
      const [time, before] = [status.lastPhaseTransitionTime, old.status?.lastPhaseTransitionTime];
      const changed = status.phase !== old.status?.phase;
      if (!changed && time === undefined && before !== undefined) status.lastPhaseTransitionTime = before;
      if (changed && (time === undefined || time === before)) status.lastPhaseTransitionTime = formatTime(now());
    },
  },
  compatibility: {
    // Kubernetes validates the volume by itself and again as part of the update, and reports every error twice.
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsNew", "update"] },
  },
});

/** Volume sources that no longer work: field, name in the warning, and the warning. */
const RETIRED = [
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
] as const;
const RETIRED_ANNOTATIONS = {
  "volume.beta.kubernetes.io/storage-class": 'deprecated since v1.8; use "storageClassName" attribute instead',
  "volume.beta.kubernetes.io/mount-options": 'deprecated since v1.31; use "mountOptions" attribute instead',
};

function warnOfVolume({ metadata, spec = {} }: PersistentVolume): string[] {
  const warnings: string[] = [];
  for (const [key, advice] of Object.entries(RETIRED_ANNOTATIONS))
    if (metadata?.annotations?.[key] !== undefined) warnings.push(`metadata.annotations[${key}]: ${advice}`);
  if (spec.persistentVolumeReclaimPolicy === "Recycle") {
    const advice =
      "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.";
    warnings.push(`spec.persistentVolumeReclaimPolicy: ${advice}`);
  }
  for (const [index, term] of (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries())
    warnings.push(...warnOfNodeTerm(term, false, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`));
  for (const [source, name, advice] of RETIRED)
    if (spec[source] !== undefined) warnings.push(`spec.${name}: ${advice}`);
  return warnings;
}
