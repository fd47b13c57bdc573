import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import type { ComponentStatus } from "./component-status.ts";

export const hooks = kindHooks<ComponentStatus>({
  cells: (component) => {
    const healthy = component.conditions?.find((condition) => condition.type === "Healthy");
    const status = healthy === undefined ? "Unknown" : healthy.status === "True" ? "Healthy" : "Unhealthy";
    return { Status: status, Message: healthy?.message ?? "", Error: healthy?.error ?? "" };
  },
});
