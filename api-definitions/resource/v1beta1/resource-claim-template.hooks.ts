import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { namespace as namespaceKind } from "../../core/v1/namespace.ts";
import { validateTemplateMetadata } from "../../core/v1/validation/claim-spec.ts";
import { validateImmutable } from "../../meta/v1/change-validation.ts";
import { type AdminReads, withRequestedAccess } from "./admin-access.ts";
import { shownTemplateSpec } from "./claim-text.ts";
import { defaultDeviceClaim } from "./device-claim-defaults.ts";
import { validateDeviceClaim } from "./device-claim-validation.ts";
import type { Standing } from "./device-selector-validation.ts";
import type { ResourceClaimTemplate } from "./resource-claim-template.ts";

export const hooks = kindHooks<ResourceClaimTemplate, AdminReads>({
  reads: [namespaceKind],
  default: ({ spec }) => defaultDeviceClaim(spec?.spec?.devices),
  validate(template, context) {
    const standing = { isStored: false, release: context.release };
    const errors = collectErrors((found) => validateTemplate(template, standing, found));
    // As in Kubernetes, the error has the path of a claim.
    const requests = template.spec?.spec?.devices?.requests;
    return context.old === undefined ? withRequestedAccess(requests, context, errors) : errors;
  },
  validation: {
    update: (template, old, { release }) =>
      collectErrors((errors) => {
        validateImmutable(template.spec, old.spec, "spec", errors, shownTemplateSpec);
        validateTemplate(template, { isStored: true, release }, errors);
      }),
  },
  compatibility: {
    // Kubernetes checks a changed template as a new one first, then the change: clients see causes twice.
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsChange", "update"] },
  },
});

function validateTemplate({ spec }: ResourceClaimTemplate, standing: Standing, errors: FieldError[]): void {
  validateTemplateMetadata(spec?.metadata, "spec.metadata", errors);
  validateDeviceClaim(spec?.spec?.devices ?? {}, standing, "spec.spec.devices", errors);
}
