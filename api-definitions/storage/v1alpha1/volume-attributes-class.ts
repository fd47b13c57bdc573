import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind } from "../../vocabulary.ts";

export interface VolumeAttributesClass extends ClusterScoped {
  driverName: string;
  parameters?: Record<string, string>;
}

export const volumeAttributesClass = kind<VolumeAttributesClass>({
  plural: "volumeattributesclasses",
  shortNames: ["vac"],
  introduced: "1.29",
  deprecated: "1.32",
  removed: "1.35",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "DriverName", type: "string", path: ".driverName" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
