import type { AdmissionPlugin } from "../../contract/admission.ts";
import { claimClass } from "../claim-class.ts";
import { findDefaultClass } from "../default-class.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { CREATE, isFor } from "../requests.ts";

/** Sets the default storage class, if there is one, on new claims without a class. */
export function createDefaultStorageClass({ naming, reader }: PluginEnvironment): AdmissionPlugin {
  const classes = { group: naming.group("storage"), resource: "storageclasses" };
  const marks = [naming.key("is-default-class", "storageclass"), naming.key("is-default-class", "storageclass.beta")];
  return {
    name: "DefaultStorageClass",
    operations: CREATE,
    resources: new Set(["persistentvolumeclaims"]),
    async mutate(request) {
      if (!isFor(request, "", "persistentvolumeclaims") || request.object === undefined) return;
      if (claimClass(request.object, naming) !== undefined) return;
      const found = findDefaultClass(await reader.list(classes), marks);
      if (found === undefined) return;
      const spec = (request.object.spec ??= {}) as { storageClassName?: string };
      spec.storageClassName = found.metadata.name ?? "";
    },
  };
}
