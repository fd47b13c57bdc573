import type { AdmissionPlugin } from "../../contract/admission.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import type { Pod } from "../pod-shape.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { CREATE_AND_UPDATE, isFor } from "../requests.ts";

/** Rejects required pod anti-affinity with a topologyKey other than the hostname label. */
export function createLimitPodHardAntiAffinityTopology({ naming }: PluginEnvironment): AdmissionPlugin {
  const hostname = naming.key("hostname");
  return {
    name: "LimitPodHardAntiAffinityTopology",
    operations: CREATE_AND_UPDATE,
    resources: new Set(["pods"]),
    validate(request) {
      if (!isFor(request, "", "pods") || request.object === undefined) return;
      const affinity = (request.object as Pod).spec.affinity?.podAntiAffinity as
        | { requiredDuringSchedulingIgnoredDuringExecution?: { topologyKey: string }[] }
        | undefined;
      for (const { topologyKey } of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
        if (topologyKey !== hostname)
          throw refuseAdmission(
            request,
            `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} but only key ${hostname} is allowed`,
          );
    },
  };
}
