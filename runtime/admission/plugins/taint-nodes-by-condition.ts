import type { AdmissionPlugin } from "../../contract/admission.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { CREATE, isFor } from "../requests.ts";

/** Taints new nodes, so that no pods are scheduled on them until they are ready. */
export function createTaintNodesByCondition({ naming }: PluginEnvironment): AdmissionPlugin {
  const key = naming.key("not-ready", "node");
  return {
    name: "TaintNodesByCondition",
    operations: CREATE,
    resources: new Set(["nodes"]),
    mutate(request) {
      if (!isFor(request, "", "nodes") || request.object === undefined) return;
      const spec = (request.object.spec ??= {}) as { taints?: { key: string; effect: string }[] };
      const taints = spec.taints ?? [];
      if (taints.some((taint) => taint.key === key && taint.effect === "NoSchedule")) return;
      spec.taints = [...taints, { key, effect: "NoSchedule" }];
    },
  };
}
