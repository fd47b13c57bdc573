import type { PreemptionPolicy } from "../../core/v1/pod-spec.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Default, type Int32, kind, type OmitZero } from "../../vocabulary.ts";

export interface PriorityClass extends ClusterScoped {
  value: Int32;
  globalDefault?: boolean & OmitZero;
  description?: string & OmitZero;
  preemptionPolicy?: PreemptionPolicy & Default<"PreemptLowerPriority">;
}

export const priorityClass = kind<PriorityClass>({
  plural: "priorityclasses",
  shortNames: ["pc"],
  introduced: "1.11",
  deprecated: "1.14",
  removed: "1.22",
  replacement: "scheduling.<domain>/v1 PriorityClass",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Value", type: "integer", path: ".value" },
    { name: "Global-Default", type: "boolean", path: ".globalDefault" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "PreemptionPolicy", type: "string", path: ".preemptionPolicy" },
  ],
});
