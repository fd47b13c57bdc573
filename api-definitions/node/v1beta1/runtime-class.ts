import type { ResourceList } from "../../core/v1/resources.ts";
import type { Toleration } from "../../core/v1/scheduling.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Immutable, kind, type ListAtomic, type MapAtomic, type Since } from "../../vocabulary.ts";

/**
 * A configuration of the container runtime that pods can select in `runtimeClassName`, such as a sandbox with stronger
 * isolation.
 */
export interface RuntimeClass extends ClusterScoped {
  /**
   * Name of the handler in the configuration of the nodes' container runtime, such as `runsc`. Must be a DNS label.
   * Pods fail to start on nodes whose runtime does not have it.
   */
  handler: string & Immutable;
  /** Resources that the runtime itself uses for each pod, in addition to the containers. */
  overhead?: Overhead & Since<"1.16">;
  /** Restriction of pods to nodes that support the runtime class. Unset means that all nodes do. */
  scheduling?: Scheduling & Since<"1.16">;
}

/** Resources that a runtime uses for each pod. */
export interface Overhead {
  /**
   * Fixed amount of each resource per pod, such as `cpu` and `memory`. The server copies it to `overhead` of new pods;
   * scheduling and quota count it.
   */
  podFixed?: ResourceList;
}

/** Restriction of pods to nodes that support a runtime class. */
export interface Scheduling {
  /**
   * Labels of the nodes that support the runtime class, added to `nodeSelector` of new pods. A pod that requires
   * another value for one of them is rejected.
   */
  nodeSelector?: MapAtomic<string>;
  /**
   * Tolerations that are added to new pods of the class, so that they can run on tainted nodes. No two may be equal.
   */
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
    { name: "Handler", type: "string", path: ".handler", description: "Handler of the container runtime." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
