import type { ResourceList } from "../../core/v1/resources.ts";
import type { Toleration } from "../../core/v1/scheduling.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Immutable, kind, type ListAtomic, type MapAtomic } from "../../vocabulary.ts";

/** A container runtime that pods can ask for. */
export interface RuntimeClass extends ClusterScoped {
  /** Name the container runtime knows it by; fixed for good. */
  handler: string & Immutable;
  /** What the runtime itself uses. */
  overhead?: Overhead;
  /** Nodes that have it. */
  scheduling?: Scheduling;
}

/** What a runtime itself uses. */
export interface Overhead {
  /** For every pod. */
  podFixed?: ResourceList;
}

/** Nodes that have a runtime. */
export interface Scheduling {
  /** Labels they have. */
  nodeSelector?: MapAtomic<string>;
  /** Taints they have. */
  tolerations?: ListAtomic<Toleration>;
}

export const runtimeClass = kind<RuntimeClass>({
  plural: "runtimeclasses",
  conditionalUpdate: true,
  introduced: "1.13",
  deprecated: "1.22",
  removed: "1.25",
  createOnUpdate: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Handler", type: "string", path: ".handler", description: "Handler that runs the pods." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
