import type { PreemptionPolicy } from "../../core/v1/pod-spec.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Default, type Immutable, type Int32, kind, type OmitZero } from "../../vocabulary.ts";

/** A name for a priority of pods. */
export interface PriorityClass extends ClusterScoped {
  /** The priority; higher goes first. */
  value: Int32;
  /** Whether it is the priority of pods that name none. */
  globalDefault?: boolean & OmitZero;
  /** When to use it. */
  description?: string & OmitZero;
  /** Whether such pods may push out others. */
  preemptionPolicy?: PreemptionPolicy & Default<"PreemptLowerPriority"> & Immutable;
}

export const priorityClass = kind<PriorityClass>({
  plural: "priorityclasses",
  introduced: "1.8",
  deprecated: "1.14",
  removed: "1.23",
  replacement: "scheduling.<domain>/v1 PriorityClass",
  generation: true,
  shortNames: ["pc"],
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Value", type: "integer", path: ".value", description: "The priority." },
    {
      name: "Global-Default",
      type: "boolean",
      path: ".globalDefault",
      description: "Whether pods get it that name none.",
    },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    {
      name: "PreemptionPolicy",
      type: "string",
      path: ".preemptionPolicy",
      description: "Whether such pods may push out others.",
    },
  ],
});
