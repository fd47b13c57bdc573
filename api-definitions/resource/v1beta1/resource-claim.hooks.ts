import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { validateImmutable } from "../../meta/v1/change-validation.ts";
import { keepMetadataOnStatus } from "../../meta/v1/status-metadata.ts";
import { dropReleasedDevices, validateClaimStatus } from "./claim-status-validation.ts";
import { shownClaimSpec } from "./claim-text.ts";
import { defaultDeviceClaim } from "./device-claim-defaults.ts";
import { validateDeviceClaim } from "./device-claim-validation.ts";
import type { ResourceClaim } from "./resource-claim.ts";

export const hooks = kindHooks<ResourceClaim>({
  default: ({ spec }) => defaultDeviceClaim(spec?.devices),
  validate: ({ spec }, { release }) =>
    collectErrors((errors) =>
      validateDeviceClaim(spec?.devices ?? {}, { isStored: false, release }, "spec.devices", errors),
    ),
  cells: (claim) => ({ State: stateText(claim) }),
  validation: {
    update: ({ spec }, old, { release }) =>
      collectErrors((errors) => {
        validateImmutable(spec, old.spec, "spec", errors, shownClaimSpec);
        validateDeviceClaim(spec?.devices ?? {}, { isStored: true, release }, "spec.devices", errors);
      }),
    subresources: {
      status: (claim, old) => collectErrors((errors) => validateClaimStatus(claim, old, "status", errors)),
    },
  },
  lifecycle: {
    prepareForUpdate(claim, old, context) {
      keepMetadataOnStatus(claim, old, context);
      if (context.subresource === "status") dropReleasedDevices(claim, old);
    },
  },
  compatibility: {
    // Kubernetes checks a changed claim as a new one first, then the change: clients see causes twice.
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsChange", "update"] },
  },
});

function stateText({ metadata, status }: ResourceClaim): string {
  const deleted = metadata?.deletionTimestamp ? ["deleted"] : [];
  if (status?.allocation === undefined) return deleted[0] ?? "pending";
  return [...deleted, "allocated", ...(status.reservedFor?.length ? ["reserved"] : [])].join(",");
}
