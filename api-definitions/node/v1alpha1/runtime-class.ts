import type { ResourceList } from "../../core/v1/resources.ts";
import type { Toleration } from "../../core/v1/scheduling.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic, type MapAtomic } from "../../vocabulary.ts";

export interface RuntimeClass extends ClusterScoped {
  spec: RuntimeClassSpec;
}

export interface RuntimeClassSpec {
  runtimeHandler: string;
  overhead?: Overhead;
  scheduling?: Scheduling;
}

export interface Overhead {
  podFixed?: ResourceList;
}

export interface Scheduling {
  nodeSelector?: MapAtomic<string>;
  tolerations?: ListAtomic<Toleration>;
}

export const runtimeClass = kind<RuntimeClass>({
  plural: "runtimeclasses",
  offByDefault: true,
  createOnUpdate: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Handler", type: "string", path: ".spec.runtimeHandler" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
