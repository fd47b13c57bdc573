import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Int64, kind, type Minimum, type RawObject } from "../../vocabulary.ts";

export interface ControllerRevision extends Namespaced {
  data?: RawObject & Always;
  revision: Int64 & Minimum<0>;
}

export const controllerRevision = kind<ControllerRevision>({
  plural: "controllerrevisions",
  introduced: "1.7",
  deprecated: "1.8",
  removed: "1.16",
  replacement: "apps/v1 ControllerRevision",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Controller", type: "string" },
    { name: "Revision", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
