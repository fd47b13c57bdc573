import type { AdmissionPlugin } from "../../contract/admission.ts";
import { failure, forbidden, notFound } from "../../values/status-errors.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { WRITES } from "../requests.ts";

const IMMORTAL = new Set(["default", "kube-system", "kube-public"]);

/** Rejects creates and updates in a missing namespace, creates in a terminating one, and the deletion of some system namespaces. */
export function createNamespaceLifecycle({ naming, reader }: PluginEnvironment): AdmissionPlugin {
  return {
    name: "NamespaceLifecycle",
    operations: WRITES,
    async mutate(request) {
      const { operation, kind, resource, namespace, name } = request;
      if (kind.group === "" && kind.kind === "Namespace") {
        if (operation === "DELETE" && IMMORTAL.has(name))
          throw forbidden(resource, name, "this namespace may not be deleted");
        return;
      }
      if (namespace === "" || operation === "DELETE") return;
      if (resource.resource === "localsubjectaccessreviews" && resource.group === naming.group("authorization")) return;
      const found = await reader.get({ group: "", resource: "namespaces" }, "", namespace);
      if (found === undefined) throw notFound({ group: "", resource: "namespaces" }, namespace);
      const { phase } = (found.status ?? {}) as { phase?: string };
      if (operation !== "CREATE" || phase !== "Terminating") return;
      const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
      const { message = "", details } = refuseAdmission(request, why).status;
      const cause = {
        reason: "NamespaceTerminating",
        message: `namespace ${namespace} is being terminated`,
        field: "metadata.namespace",
      };
      throw failure(403, "Forbidden", message, { ...details, causes: [cause] });
    },
  };
}
