import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { mergeQuantities } from "../../../runtime/go/source-notes.ts";
import type { LimitRange } from "./limit-range.ts";
import { validateLimitRange } from "./limit-range-validation.ts";
import { roundToMillis } from "./pod-defaults.ts";

export const hooks = kindHooks<LimitRange>({
  /** For containers, `default` defaults to `max`, and `defaultRequest` to `default` or else to `min`. */
  default: ({ spec }) => {
    for (const item of spec?.limits ?? []) {
      for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio])
        roundToMillis(list);
      if (item.type !== "Container") continue;
      const limits = mergeQuantities(item.max, item.default);
      const requests = mergeQuantities(item.min, limits, item.defaultRequest);
      if (Object.keys(limits).length > 0) item.default = limits;
      if (Object.keys(requests).length > 0) item.defaultRequest = requests;
    }
  },
  validate: validateLimitRange,
  lifecycle: {
    /** A LimitRange without name gets a UID as name, even without `generateName`, as in Kubernetes. */
    prepareForCreate: (range, { newUid }) => {
      if ((range.metadata?.name ?? "") === "") range.metadata = { ...range.metadata, name: newUid() };
    },
  },
  compatibility: {
    order: { update: ["metadataAsNew", "declared", "update"] },
  },
});
