import type { ResourceList } from "../../core/v1/resources.ts";
import type { Toleration } from "../../core/v1/scheduling.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic, type MapAtomic } from "../../vocabulary.ts";

/** A container runtime that pods can ask for. */
export interface RuntimeClass extends ClusterScoped {
  /** What is asked for. */
  spec: RuntimeClassSpec;
}

/** A container runtime. */
export interface RuntimeClassSpec {
  /** Name the container runtime knows it by. */
  runtimeHandler: string;
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
  introduced: "1.14",
  deprecated: "1.20",
  removed: "1.24",
  replacement: "node.<domain>/v1 RuntimeClass",
  conditionalUpdate: true,
  offByDefault: true,
  createOnUpdate: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Handler", type: "string", path: ".spec.runtimeHandler", description: "Handler that runs the pods." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
