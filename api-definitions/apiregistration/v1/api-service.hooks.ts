import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { checkPathSegment, checkPathSegmentPrefix } from "../../../runtime/lib/names.ts";
import type { APIService } from "./api-service.ts";

export const hooks = hooksFor<APIService>({
  validateName: (name, generateName) => (generateName ? checkPathSegmentPrefix(name) : checkPathSegment(name)),
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
