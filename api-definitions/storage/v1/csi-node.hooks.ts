import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import {
  collectErrors,
  duplicateField,
  invalidField,
  invalidFields,
  requiredField,
} from "../../../runtime/values/field-errors.ts";
import { checkQualifiedName } from "../../../runtime/values/names.ts";
import { validateNonNegative } from "../../core/v1/validation/basics.ts";
import { validateCsiDriverName } from "../../core/v1/validation/csi-driver-name.ts";
import { shownAs } from "../../go-types.ts";
import { validateImmutable } from "../../meta/v1/change-validation.ts";
import type { CSINode, CSINodeDriver } from "./csi-node.ts";

const MAX_NODE_ID = 256;

export const hooks = kindHooks<CSINode>({
  validate: (node) => collectErrors((errors) => validateDrivers(driversOf(node), "spec.drivers", errors)),
  cells: ({ spec }) => ({ Drivers: spec?.drivers?.length ?? 0 }),
  validation: {
    update: (node, old, { featureEnabled }) =>
      collectErrors((errors) => {
        const mayRecount = featureEnabled("MutableCSINodeAllocatableCount");
        const byName = Map.groupBy(driversOf(node), ({ name }) => name);
        // Stored drivers have unique names.
        for (const [name, oldDriver] of new Map(driversOf(old).map((driver) => [driver.name, driver]))) {
          for (const driver of byName.get(name) ?? []) {
            const [now, before] = mayRecount ? [uncounted(driver), uncounted(oldDriver)] : [driver, oldDriver];
            validateImmutable(now, before, "spec.drivers", errors, (value) => shownAs("storage.CSINodeDriver", value));
          }
        }
      }),
  },
  compatibility: {
    // Kubernetes validates the drivers twice here and reports every error twice.
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsNew", "validate", "update"] },
  },
});

function driversOf({ spec }: CSINode): readonly CSINodeDriver[] {
  return spec?.drivers ?? [];
}

function uncounted({ allocatable: _count, ...driver }: CSINodeDriver): CSINodeDriver {
  return driver;
}

function validateDrivers(drivers: readonly CSINodeDriver[], path: string, errors: FieldError[]): void {
  const names = new Set<string>();
  for (const [index, driver] of drivers.entries()) {
    const { name = "", nodeID = "", topologyKeys } = driver;
    const at = `${path}[${index}]`;
    validateCsiDriverName(name, `${at}.name`, errors);
    if (nodeID === "") errors.push(requiredField(`${at}.nodeID`));
    if (Buffer.byteLength(nodeID) > MAX_NODE_ID) {
      errors.push(invalidField(`${at}.nodeID`, nodeID, `must be ${MAX_NODE_ID} characters or less`));
    }
    validateNonNegative(driver.allocatable?.count ?? 0, `${at}.allocatable.count`, errors);
    if (names.has(name)) errors.push(duplicateField(`${at}.name`, name));
    names.add(name);
    validateTopologyKeys(topologyKeys ?? [], at, errors);
  }
}

/** As in Kubernetes, errors name the driver, not the key. */
function validateTopologyKeys(keys: readonly string[], field: string, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const key of keys) {
    if (key === "") errors.push(requiredField(field));
    if (seen.has(key)) errors.push(duplicateField(field, key));
    seen.add(key);
    errors.push(...invalidFields(field, key, checkQualifiedName(key)));
  }
}
