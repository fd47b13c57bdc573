import type { Toleration } from "../../../api-definitions/core/v1/scheduling.ts";
import type { AdmissionPlugin } from "../../contract/admission.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import type { Pod } from "../pod-shape.ts";
import { CREATE_AND_UPDATE, isFor } from "../requests.ts";

/** Default tolerationSeconds of pods for nodes that are not ready or unreachable. */
const USUAL = { notReady: 300, unreachable: 300 };

export function createDefaultTolerationSeconds({
  naming,
  tolerationSeconds = USUAL,
}: PluginEnvironment): AdmissionPlugin {
  const taints = [
    { key: naming.key("not-ready", "node"), seconds: tolerationSeconds.notReady },
    { key: naming.key("unreachable", "node"), seconds: tolerationSeconds.unreachable },
  ];
  return {
    name: "DefaultTolerationSeconds",
    operations: CREATE_AND_UPDATE,
    resources: new Set(["pods"]),
    mutate(request) {
      if (!isFor(request, "", "pods") || request.object === undefined) return;
      const { spec } = request.object as Pod;
      const given = spec.tolerations ?? [];
      const tolerates =
        (taint: string) =>
        ({ key, effect }: Toleration) =>
          (!key || key === taint) && (!effect || effect === "NoExecute");
      const missing = taints.filter(({ key }) => !given.some(tolerates(key)));
      if (missing.length === 0) return;
      const added = missing.map(
        ({ key, seconds }): Toleration => ({
          key,
          operator: "Exists",
          effect: "NoExecute",
          tolerationSeconds: seconds,
        }),
      );
      spec.tolerations = [...given, ...added];
    },
  };
}
