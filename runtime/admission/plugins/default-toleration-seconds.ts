import type { AdmissionPlugin } from "../../contract/admission.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import type { Pod, Toleration } from "../pod-shape.ts";
import { CREATE_AND_UPDATE, isFor } from "../requests.ts";

/** How long pods stay on a node that stopped answering, unless they say otherwise. */
const SECONDS = 300;

export function createDefaultTolerationSeconds({ naming }: PluginEnvironment): AdmissionPlugin {
  const taints = [naming.key("not-ready", "node"), naming.key("unreachable", "node")];
  return {
    name: "DefaultTolerationSeconds",
    operations: CREATE_AND_UPDATE,
    mutate(request) {
      if (!isFor(request, "", "pods") || request.object === undefined) return;
      const { spec } = request.object as Pod;
      const given = spec.tolerations ?? [];
      const tolerates =
        (taint: string) =>
        ({ key, effect }: Toleration) =>
          (!key || key === taint) && (!effect || effect === "NoExecute");
      const missing = taints.filter((taint) => !given.some(tolerates(taint)));
      if (missing.length === 0) return;
      const added = missing.map((key) => ({
        key,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: SECONDS,
      }));
      spec.tolerations = [...given, ...added];
    },
  };
}
