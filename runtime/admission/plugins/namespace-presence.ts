import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import { hasReason } from "../../contract/status.ts";
import { notFound } from "../../values/status-errors.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { CREATE, WRITES } from "../requests.ts";

const NAMESPACES = { group: "", resource: "namespaces" };

/** Rejects every write in a namespace that does not exist. */
export function createNamespaceExists({ reader }: PluginEnvironment): AdmissionPlugin {
  return {
    name: "NamespaceExists",
    operations: WRITES,
    async validate(request) {
      if (!isNamespaced(request)) return;
      if ((await reader.get(NAMESPACES, "", request.namespace)) === undefined)
        throw notFound(NAMESPACES, request.namespace);
    },
  };
}

/** Creates the namespace of a new object if it does not exist. */
export function createNamespaceAutoProvision({ reader, writer }: PluginEnvironment): AdmissionPlugin {
  return {
    name: "NamespaceAutoProvision",
    operations: CREATE,
    async mutate(request) {
      const { namespace, dryRun } = request;
      if (dryRun || !isNamespaced(request) || (await reader.get(NAMESPACES, "", namespace)) !== undefined) return;
      try {
        await writer.create(NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      } catch (error) {
        if (!hasReason(error, "AlreadyExists")) throw error;
      }
    },
  };
}

function isNamespaced({ namespace, kind }: AdmissionRequest): boolean {
  return namespace !== "" && !(kind.group === "" && kind.kind === "Namespace");
}
