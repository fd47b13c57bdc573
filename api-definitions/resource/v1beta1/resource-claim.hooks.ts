import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { namespace as namespaceKind } from "../../core/v1/namespace.ts";
import { validateImmutable } from "../../meta/v1/change-validation.ts";
import { keepMetadataOnStatus } from "../../meta/v1/status-metadata.ts";
import { type AdminReads, withAllocatedAccess, withRequestedAccess } from "./admin-access.ts";
import { dropReleasedDevices, validateClaimStatus } from "./claim-status-validation.ts";
import { shownClaimSpec } from "./claim-text.ts";
import { defaultDeviceClaim } from "./device-claim-defaults.ts";
import { validateDeviceClaim } from "./device-claim-validation.ts";
import type { ResourceClaim } from "./resource-claim.ts";

export const hooks = kindHooks<ResourceClaim, AdminReads>({
  reads: [namespaceKind],
  default: ({ spec }) => defaultDeviceClaim(spec?.devices),
  validate({ spec }, context) {
    const standing = { isStored: false, release: context.release };
    const errors = collectErrors((found) => validateDeviceClaim(spec?.devices ?? {}, standing, "spec.devices", found));
    return context.old === undefined ? withRequestedAccess(spec?.devices?.requests, context, errors) : errors;
  },
  cells: (claim) => ({ State: stateText(claim) }),
  validation: {
    update: ({ spec }, old, { release }) =>
      collectErrors((errors) => {
        validateImmutable(spec, old.spec, "spec", errors, shownClaimSpec);
        validateDeviceClaim(spec?.devices ?? {}, { isStored: true, release }, "spec.devices", errors);
      }),
    subresources: {
      status(claim, old, context) {
        const errors = collectErrors((found) => validateClaimStatus(claim, old, "status", found));
        return withAllocatedAccess(claim.status?.allocation, old.status?.allocation, context, errors);
      },
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
