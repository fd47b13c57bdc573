import type { AdmissionPlugin } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import { compareQuantities, parseQuantity } from "../../values/quantity.ts";
import { claimClass } from "../claim-class.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { isFor, UPDATE } from "../requests.ts";

/** Allows a claim to grow only if it is bound and its storage class permits it. */
export function createPersistentVolumeClaimResize({ naming, reader }: PluginEnvironment): AdmissionPlugin {
  const classes = { group: naming.group("storage"), resource: "storageclasses" };

  async function mayGrow(claim: ApiObject, old: ApiObject): Promise<boolean> {
    const name = claimClass(claim, naming);
    if (!name || name !== claimClass(old, naming)) return false;
    return (await reader.get(classes, "", name))?.allowVolumeExpansion === true;
  }

  return {
    name: "PersistentVolumeClaimResize",
    operations: UPDATE,
    resources: new Set(["persistentvolumeclaims"]),
    async validate(request) {
      const { object, oldObject } = request;
      if (!isFor(request, "", "persistentvolumeclaims") || object === undefined || oldObject === undefined) return;
      if (compareQuantities(size(object), size(oldObject)) <= 0) return;
      if ((oldObject.status as { phase?: string } | undefined)?.phase !== "Bound")
        throw refuseAdmission(request, "Only bound persistent volume claims can be expanded");
      if (!(await mayGrow(object, oldObject)))
        throw refuseAdmission(
          request,
          "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
        );
    },
  };
}

function size(claim: ApiObject) {
  const spec = claim.spec as { resources?: { requests?: { storage?: string } } } | undefined;
  return parseQuantity(spec?.resources?.requests?.storage ?? "0");
}
