import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { checkPathSegment, checkPathSegmentPrefix } from "../../../runtime/lib/names.ts";
import type { APIService } from "./api-service.ts";

export const hooks = hooksFor<APIService>({
  validateName: (name, generateName) => (generateName ? checkPathSegmentPrefix(name) : checkPathSegment(name)),
  /** What this server serves itself is there as soon as it is registered. */
  prepareForCreate: (object, { now }) => {
    if (object.spec?.service) return;
    const condition = {
      type: "Available",
      status: "True",
      lastTransitionTime: now().toISOString().replace(/\.\d+/, ""),
      reason: "Local",
      message: "Local APIServices are always available",
    } as const;
    object.status = { conditions: [condition] };
  },
  cells: ({ spec, status }) => ({
    Service: spec?.service ? `${spec.service.namespace ?? ""}/${spec.service.name ?? ""}` : "Local",
    Available: availableText(status),
  }),
});

function availableText(status: APIService["status"]): string {
  const available = status?.conditions?.find((condition) => condition.type === "Available");
  if (available === undefined) return "Unknown";
  return available.status === "True" ? "True" : `${available.status} (${available.reason ?? ""})`;
}
