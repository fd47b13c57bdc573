import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Int64, kind, type Minimum, type RawObject } from "../../vocabulary.ts";

/**
 * Immutable snapshot of the template of a DaemonSet or StatefulSet, created by their controllers to roll pods out and
 * back. Not meant to be written by users, although they may read it for the history of a workload.
 */
export interface ControllerRevision extends Namespaced {
  /**
   * The snapshot, a JSON object whose content is defined by the controller that created it. Required, and cannot be
   * changed after creation.
   */
  data?: RawObject & Always;
  /**
   * Number of the snapshot, assigned by the controller. Higher numbers are newer; rolling back gives the old snapshot a
   * new number.
   */
  revision: Int64 & Minimum<0>;
}

export const controllerRevision = kind<ControllerRevision>({
  plural: "controllerrevisions",
  introduced: "1.7",
  deprecated: "1.8",
  removed: "1.16",
  replacement: "apps/v1 ControllerRevision",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Controller", type: "string", description: "Workload that owns the revision, as `<kind>.<group>/<name>`." },
    { name: "Revision", type: "string", description: "Number of the revision." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the object was created.",
    },
  ],
});
