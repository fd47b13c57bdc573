import type { PreemptionPolicy } from "../../core/v1/pod-spec.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Default, type Immutable, type Int32, kind, type OmitZero, type Since } from "../../vocabulary.ts";

/**
 * A named priority for pods. Pods of higher priority are scheduled first and can preempt pods of lower priority. Pods
 * name the class in `priorityClassName`; later changes to the class do not affect existing pods.
 */
export interface PriorityClass extends ClusterScoped {
  /**
   * Priority of the pods; a greater number means a higher priority, and negative numbers are allowed. At most
   * 1000000000 (one billion), except for the two classes of the system, whose names begin with `system-`. Cannot be
   * changed after creation.
   */
  value: Int32;
  /**
   * Whether pods without `priorityClassName` get this class. Only one class may be the default. Unset means `false`;
   * without a default class such pods have priority 0.
   */
  globalDefault?: boolean & OmitZero;
  /** Human-readable advice when to use this class. */
  description?: string & OmitZero;
  /** Whether pods of this class can preempt pods of lower priority when no node has room. */
  preemptionPolicy?: PreemptionPolicy & Default<"PreemptLowerPriority"> & Immutable & Since<"1.15">;
}

export const priorityClass = kind<PriorityClass>({
  plural: "priorityclasses",
  generation: true,
  shortNames: ["pc"],
  introduced: "1.14",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Value", type: "integer", path: ".value", description: "Priority of the pods." },
    {
      name: "Global-Default",
      type: "boolean",
      path: ".globalDefault",
      description: "Whether pods without class get this one.",
    },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    {
      name: "PreemptionPolicy",
      type: "string",
      path: ".preemptionPolicy",
      description: "Whether pods of the class can preempt others.",
    },
  ],
});
