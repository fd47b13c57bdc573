import { isDeepStrictEqual } from "node:util";
import { VolumeBindingMode } from "../../../generated/values/storage.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import { collectErrors, forbiddenField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import { validateDriver, validateParameters } from "./class-validation.ts";
import { isDefaultClass } from "./default-class.ts";
import type { StorageClass } from "./storage-class.ts";
import { validateTopologies, warnOfTopologies } from "./topology-validation.ts";

const RECLAIM_POLICIES = ["Delete", "Retain"];

export const hooks = kindHooks<StorageClass>({
  validate: (storageClass) => collectErrors((errors) => validateStorageClass(storageClass, errors)),
  warn: ({ allowedTopologies = [] }) => warnOfTopologies(allowedTopologies),
  cells: (storageClass) => ({
    Name: isDefaultClass(storageClass.metadata)
      ? `${storageClass.metadata?.name} (default)`
      : storageClass.metadata?.name,
    ReclaimPolicy: storageClass.reclaimPolicy ?? "Delete",
    VolumeBindingMode: storageClass.volumeBindingMode ?? "Immediate",
    AllowVolumeExpansion: storageClass.allowVolumeExpansion ?? false,
  }),
  validation: {
    update: (storageClass, old) =>
      (["parameters", "provisioner", "reclaimPolicy"] as const).flatMap((name) =>
        // Empty parameters differ from absent ones.
        isDeepStrictEqual(asGiven(storageClass, name), old[name])
          ? []
          : [forbiddenField(name, `updates to ${name} are forbidden.`)],
      ),
  },
  compatibility: {
    order: { update: ["metadataAsNew", "validate", "metadataAsChange", "update", "declared"] },
  },
});

function validateStorageClass(storageClass: StorageClass, errors: FieldError[]): void {
  const { provisioner = "", parameters = {}, reclaimPolicy = "", volumeBindingMode = "" } = storageClass;
  validateDriver(provisioner, "provisioner", errors);
  validateParameters(parameters, "parameters", errors);
  if (reclaimPolicy !== "" && !RECLAIM_POLICIES.includes(reclaimPolicy)) {
    errors.push(unsupportedField("reclaimPolicy", reclaimPolicy, RECLAIM_POLICIES));
  }
  if (!VolumeBindingMode.includes(volumeBindingMode)) {
    errors.push(unsupportedField("volumeBindingMode", volumeBindingMode, VolumeBindingMode));
  }
  validateTopologies(storageClass.allowedTopologies ?? [], "allowedTopologies", errors);
}
