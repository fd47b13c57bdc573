import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { goLabelSelector, shown } from "../../../runtime/go/literal.ts";
import { collectErrors, invalidFields } from "../../../runtime/values/field-errors.ts";
import { checkSubdomain } from "../../../runtime/values/names.ts";
import { validateNonNegativeQuantity } from "../../core/v1/validation/basics.ts";
import { validateImmutable } from "../../meta/v1/change-validation.ts";
import { isUnsoundSelector, validateLabelSelector } from "../../meta/v1/label-selector-validation.ts";
import { warnOfNodeLabels } from "../../node/v1/deprecated-labels.ts";
import type { CSIStorageCapacity } from "./csi-storage-capacity.ts";

export const hooks = kindHooks<CSIStorageCapacity>({
  validate: (capacity, { old }) => collectErrors((errors) => validateCapacity(capacity, errors, old)),
  warn: ({ nodeTopology }) => warnOfNodeLabels(nodeTopology ?? {}, "nodeTopology"),
  validation: {
    update: (capacity, old) =>
      collectErrors((errors) => {
        const show = (selector: NonNullable<CSIStorageCapacity["nodeTopology"]>) => shown(goLabelSelector(selector));
        validateImmutable(capacity.nodeTopology, old.nodeTopology, "nodeTopology", errors, show);
        validateImmutable(capacity.storageClassName, old.storageClassName, "storageClassName", errors);
      }),
  },
  compatibility: {
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsChange", "update"] },
  },
});

function validateCapacity(object: CSIStorageCapacity, errors: FieldError[], old?: CSIStorageCapacity): void {
  const { nodeTopology, storageClassName = "", capacity } = object;
  validateLabelSelector(nodeTopology, "nodeTopology", errors, isUnsoundSelector(old?.nodeTopology));
  errors.push(...invalidFields("storageClassName", storageClassName, checkSubdomain(storageClassName)));
  if (capacity !== undefined) validateNonNegativeQuantity(capacity, "capacity", errors);
}
