import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { roundToMillis } from "./pod-defaults.ts";
import type { ResourceQuota } from "./resource-quota.ts";
import { validateQuotaChange, validateQuotaSpec, validateQuotaStatus } from "./resource-quota-validation.ts";

export const hooks = kindHooks<ResourceQuota>({
  default: ({ spec, status }) => {
    for (const amounts of [spec?.hard, status?.hard, status?.used]) roundToMillis(amounts);
  },
  validate: (quota) => [...validateQuotaSpec(quota), ...validateQuotaStatus(quota.status)],
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
  validation: {
    update: (quota, old) => [...validateQuotaSpec(quota), ...validateQuotaChange(quota, old)],
    subresources: { status: ({ status }) => validateQuotaStatus(status) },
  },
  compatibility: {
    order: { update: ["metadataAsChange", "declared", "update"] },
  },
});
