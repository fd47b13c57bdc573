import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Int64, kind, type Minimum, type RawObject } from "../../vocabulary.ts";

/** A past state of a DaemonSet or StatefulSet, kept to go back to. */
export interface ControllerRevision extends Namespaced {
  /** The state. */
  data?: RawObject & Always;
  /** Number of the state; higher is later. */
  revision: Int64 & Minimum<0>;
}

export const controllerRevision = kind<ControllerRevision>({
  plural: "controllerrevisions",
  introduced: "1.8",
  deprecated: "1.9",
  removed: "1.16",
  replacement: "apps/v1 ControllerRevision",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Controller", type: "string", description: "Who controls it." },
    { name: "Revision", type: "string", description: "Number of the state." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
