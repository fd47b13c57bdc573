import { FSGroupPolicy, VolumeLifecycleMode } from "../../../generated/values/storage.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { goTexts, shown } from "../../../runtime/go/literal.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import {
  collectErrors,
  duplicateField,
  invalidField,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { validateImmutable } from "../../meta/v1/change-validation.ts";
import type { CSIDriver, CSIDriverSpec, TokenRequest } from "./csi-driver.ts";

const FS_GROUP_POLICIES = [...FSGroupPolicy].sort();
const MIN_TOKEN_SECONDS = 10 * 60;
const MAX_TOKEN_SECONDS = 2 ** 32;
const MIN_PERIOD_SECONDS = 10;

export const hooks = kindHooks<CSIDriver>({
  validate: ({ spec }, { featureEnabled }) =>
    collectErrors((errors) => {
      validateCsiDriverSpec(spec ?? {}, featureEnabled("SELinuxMountReadWriteOncePod"), "spec", errors);
    }),
  cells: ({ spec }) => ({
    AttachRequired: spec.attachRequired ?? true,
    PodInfoOnMount: spec.podInfoOnMount ?? false,
    StorageCapacity: spec.storageCapacity ?? false,
    TokenRequests: spec.tokenRequests?.map((request) => request.audience).join(",") ?? "<unset>",
    RequiresRepublish: spec.requiresRepublish ?? false,
    Modes: spec.volumeLifecycleModes?.join(",") || "<none>",
  }),
  validation: {
    // The path of the first field is misspelt as in Kubernetes.
    update: ({ spec = {} }, { spec: old = {} }, { featureEnabled }) =>
      collectErrors((errors) => {
        validateCsiDriverSpec(spec, featureEnabled("SELinuxMountReadWriteOncePod"), "spec", errors);
        validateImmutable(spec.attachRequired, old.attachRequired, "spec.attachedRequired", errors);
        const modes = [spec.volumeLifecycleModes, old.volumeLifecycleModes] as const;
        validateImmutable(...modes, "spec.volumeLifecycleModes", errors, (value) =>
          shown(goTexts(value).replace("[]string", "[]storage.VolumeLifecycleMode")),
        );
      }),
  },
  lifecycle: {
    /** New drivers have no generation; changes of the spec increase it. */
    prepareForUpdate: (driver, old) => {
      if (equalMeaning(driver.spec, old.spec)) return;
      driver.metadata = { ...driver.metadata, generation: (old.metadata?.generation ?? 0) + 1 };
    },
  },
  compatibility: {
    order: { update: ["metadataAsChange", "declared", "update"] },
  },
});

function validateCsiDriverSpec(
  spec: CSIDriverSpec,
  needsLabelMounts: boolean,
  path: string,
  errors: FieldError[],
): void {
  if (spec.attachRequired === undefined) errors.push(requiredField(`${path}.attachedRequired`));
  if (spec.podInfoOnMount === undefined) errors.push(requiredField(`${path}.podInfoOnMount`));
  if (spec.storageCapacity === undefined) errors.push(requiredField(`${path}.storageCapacity`));
  const policy = spec.fsGroupPolicy;
  if (policy !== undefined && !FS_GROUP_POLICIES.includes(policy)) {
    errors.push(unsupportedField(`${path}.fsGroupPolicy`, policy, FS_GROUP_POLICIES));
  }
  validateTokenRequests(spec.tokenRequests ?? [], `${path}.tokenRequests`, errors);
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (!VolumeLifecycleMode.includes(mode)) {
      errors.push(unsupportedField(`${path}.volumeLifecycleModes`, mode, VolumeLifecycleMode));
    }
  }
  if (needsLabelMounts && spec.seLinuxMount === undefined) errors.push(requiredField(`${path}.seLinuxMount`));
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < MIN_PERIOD_SECONDS) {
    const detail = `must be greater than or equal to ${MIN_PERIOD_SECONDS} seconds`;
    errors.push(invalidField(`${path}.nodeAllocatableUpdatePeriodSeconds`, period, detail));
  }
}

function validateTokenRequests(requests: readonly TokenRequest[], path: string, errors: FieldError[]): void {
  const audiences = new Set<string>();
  for (const [index, { audience = "", expirationSeconds }] of requests.entries()) {
    const at = `${path}[${index}]`;
    if (audiences.has(audience)) {
      errors.push(duplicateField(`${at}.audience`, audience));
      continue;
    }
    audiences.add(audience);
    if (expirationSeconds === undefined) continue;
    const refuse = (detail: string) => errors.push(invalidField(`${at}.expirationSeconds`, expirationSeconds, detail));
    if (expirationSeconds < MIN_TOKEN_SECONDS) refuse("may not specify a duration less than 10 minutes");
    if (expirationSeconds > MAX_TOKEN_SECONDS) refuse("may not specify a duration larger than 2^32 seconds");
  }
}
