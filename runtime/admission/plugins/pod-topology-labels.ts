import type { AdmissionPlugin } from "../../contract/admission.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import type { Pod } from "../pod-shape.ts";
import { CREATE, isFor } from "../requests.ts";

const GATE = "PodTopologyLabelsAdmission";

/** Copies the zone and region labels of a node to pods created on it or bound to it. Requires the feature gate. */
export function createPodTopologyLabels({ naming, reader, featureEnabled }: PluginEnvironment): AdmissionPlugin {
  const topology = naming.group("topology");
  const keys = [`${topology}/zone`, `${topology}/region`];
  return {
    name: "PodTopologyLabels",
    operations: featureEnabled(GATE) ? CREATE : new Set(),
    resources: new Set(["pods"]),
    async mutate(request) {
      const { object } = request;
      if (object === undefined) return;
      let nodeName: string | undefined;
      if (isFor(request, "", "pods")) {
        nodeName = (object as Pod).spec.nodeName;
      } else if (isFor(request, "", "pods", "binding")) {
        const { kind, name } = (object.target ?? {}) as { kind?: string; name?: string };
        nodeName = kind === "Node" ? name : undefined;
      }
      if (!nodeName) return;
      const node = await reader.get({ group: "", resource: "nodes" }, "", nodeName);
      const told = Object.entries(node?.metadata.labels ?? {}).filter(([key]) => keys.includes(key));
      if (told.length > 0) {
        object.metadata.labels = { ...object.metadata.labels, ...Object.fromEntries(told) };
      }
    },
  };
}
