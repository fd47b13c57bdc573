import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { type HookContext, kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { dropAttributesClass, dropAttributesClassStatus } from "./attributes-class.ts";
import { warnOfClaimSpec } from "./claim-warnings.ts";
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
} from "./persistent-volume-claim.ts";
import { validateClaimChange, validateClaimStatus } from "./persistent-volume-claim-change.ts";
import { roundToMillis } from "./pod-defaults.ts";
import { validateClaimSpec } from "./validation/claim-spec.ts";
import { accessModesText, storageClassOf } from "./volume-text.ts";

export const hooks = kindHooks<PersistentVolumeClaim>({
  default: ({ spec, status }) => {
    const { requests, limits } = spec?.resources ?? {};
    for (const amounts of [requests, limits, status?.capacity, status?.allocatedResources]) roundToMillis(amounts);
  },
  defaults: {
    stored: ({ spec }) => {
      if (spec !== undefined) copyDataSource(spec);
    },
  },
  validate: (claim, { old }) => validateClaim(claim, old),
  warn: (claim, { subresource }) => (subresource === undefined ? warnOfClaim(claim) : []),
  cells: ({ metadata, spec, status }) => {
    const bound = (spec?.volumeName ?? "") !== "";
    return {
      Status: metadata?.deletionTimestamp ? "Terminating" : (status?.phase ?? ""),
      Capacity: bound ? (status?.capacity?.storage ?? "0") : "",
      "Access Modes": bound ? accessModesText(status?.accessModes) : "",
      StorageClass: storageClassOf(metadata, spec?.storageClassName),
      VolumeAttributesClass: spec?.volumeAttributesClassName ?? "<unset>",
      VolumeMode: spec?.volumeMode ?? "<unset>",
    };
  },
  validation: {
    update: (claim, old, { featureEnabled }) => [
      ...validateClaim(claim, old).map(atOtherAddress),
      ...validateClaimChange(claim, old, featureEnabled),
    ],
    subresources: { status: validateClaimStatus },
  },
  lifecycle: {
    prepareForCreate: (claim, context) => {
      claim.status = {};
      dropAttributesClass(claim.spec, undefined, context);
      if (claim.spec !== undefined) settleDataSources(claim.spec, undefined, context.featureEnabled);
    },
    prepareForUpdate: ({ spec, status }, old, context) => {
      if (context.subresource === "status") {
        dropAttributesClassStatus(status, old.status, context);
        dropExpansion(status, old.status, context);
      }
      if (context.subresource !== undefined || spec === undefined) return;
      dropAttributesClass(spec, old.spec, context);
      settleDataSources(spec, old.spec, context.featureEnabled);
    },
  },
  compatibility: {
    // Kubernetes validates the claim by itself and again as part of the update, and reports every error twice.
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsChange", "metadataAsNew", "update"] },
    // New claims are stored without a phase.
    completedOnReading: () => true,
    completeNew: (claim) => {
      claim.status = { phase: "Pending" };
    },
  },
});

/** Not applied to templates of StatefulSets: they keep the fields even if the feature gate is off. */
function dropExpansion(
  status: PersistentVolumeClaimStatus | undefined,
  old: PersistentVolumeClaimStatus | undefined,
  { featureEnabled }: Pick<HookContext, "featureEnabled">,
): void {
  if (status === undefined || featureEnabled("RecoverVolumeExpansionFailure")) return;
  for (const field of ["allocatedResources", "allocatedResourceStatuses"] as const)
    if (old?.[field] === undefined) delete status[field];
}

/** Changes the pointer address in a message of the second report, so that the error is not removed as a duplicate. */
function atOtherAddress(error: FieldError): FieldError {
  return { ...error, message: error.message.replaceAll("(0xc000000000)", "(0xc000000020)") };
}

function validateClaim(claim: PersistentVolumeClaim, old: PersistentVolumeClaim | undefined): FieldError[] {
  const errors: FieldError[] = [];
  validateClaimSpec(claim.spec ?? {}, "spec", errors, true, old?.spec);
  return errors;
}

/** `dataSource` of new claims accepts claims and snapshots only; other kinds are dropped. */
function settleDataSources(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec | undefined,
  featureEnabled: (gate: string) => boolean,
): void {
  const isForeign = spec.dataSourceRef?.namespace && !featureEnabled("CrossNamespaceVolumeDataSource");
  if (isForeign && old?.dataSourceRef === undefined) delete spec.dataSourceRef;
  const inUse = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!inUse && spec.dataSourceRef === undefined && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource;
  copyDataSource(spec);
}

/** Copies `dataSource` to `dataSourceRef` or back, whichever is unset. Claims that are older than `dataSourceRef` were stored without it. */
function copyDataSource(spec: PersistentVolumeClaimSpec): void {
  if (spec.dataSource !== undefined) spec.dataSourceRef ??= { ...spec.dataSource };
  else if (spec.dataSourceRef !== undefined && !spec.dataSourceRef.namespace) {
    const { namespace: _ignored, ...reference } = spec.dataSourceRef;
    spec.dataSource = reference;
  }
}

function isClaimOrSnapshot(source: PersistentVolumeClaimSpec["dataSource"]): boolean {
  const group = source?.apiGroup ?? "";
  if (source?.kind === "PersistentVolumeClaim") return group === "";
  return source?.kind === "VolumeSnapshot" && group === "snapshot.storage.k8s.io";
}

function warnOfClaim({ metadata, spec }: PersistentVolumeClaim): string[] {
  const annotation = "volume.beta.kubernetes.io/storage-class";
  const advice = 'deprecated since v1.8; use "storageClassName" attribute instead';
  const used = metadata?.annotations?.[annotation] !== undefined;
  return [...(used ? [`metadata.annotations[${annotation}]: ${advice}`] : []), ...warnOfClaimSpec(spec, "spec")];
}
