import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { ResourceQuota } from "./resource-quota.ts";

export const hooks = hooksFor<ResourceQuota>({
  cells: ({ status }) => {
    const hard = status?.hard ?? {};
    const entries = Object.keys(hard)
      .sort()
      .map((name) => ({
        isLimit: name.startsWith("limits."),
        text: `${name}: ${status?.used?.[name] ?? "0"}/${hard[name]}`,
      }));
    const join = (limits: boolean) =>
      entries
        .filter((entry) => entry.isLimit === limits)
        .map((entry) => entry.text)
        .join(", ");
    return { Request: join(false), Limit: join(true) };
  },
});
