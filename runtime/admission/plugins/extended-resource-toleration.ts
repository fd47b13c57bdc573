import type { Toleration } from "../../../api-definitions/core/v1/scheduling.ts";
import type { AdmissionPlugin } from "../../contract/admission.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import type { Pod } from "../pod-shape.ts";
import { CREATE_AND_UPDATE, isFor } from "../requests.ts";

/** Adds tolerations to pods that request extended resources: for each resource, it tolerates the taint with the resource name as key. */
export function createExtendedResourceToleration({ naming }: PluginEnvironment): AdmissionPlugin {
  const own = `${naming.vendor}.io/`;
  const isExtended = (name: string) => name.includes("/") && !name.includes(own) && !name.startsWith("requests.");
  return {
    name: "ExtendedResourceToleration",
    operations: CREATE_AND_UPDATE,
    resources: new Set(["pods"]),
    mutate(request) {
      if (!isFor(request, "", "pods") || request.object === undefined) return;
      const { spec } = request.object as Pod;
      const containers = [...spec.containers, ...(spec.initContainers ?? [])];
      const devices = new Set(
        containers.flatMap(({ resources }) => Object.keys(resources?.requests ?? {})).filter(isExtended),
      );
      for (const key of [...devices].sort()) {
        const toleration: Toleration = { key, operator: "Exists", effect: "NoSchedule" };
        const isLike = (each: Toleration) =>
          each.key === key && each.effect === toleration.effect && each.operator === toleration.operator && !each.value;
        const own = spec.tolerations ?? [];
        spec.tolerations = own.some(isLike)
          ? own.map((each) => (isLike(each) ? toleration : each))
          : [...own, toleration];
      }
    },
  };
}
