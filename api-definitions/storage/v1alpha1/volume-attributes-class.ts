import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind } from "../../vocabulary.ts";

/** Attributes of volumes that may change while they are in use. */
export interface VolumeAttributesClass extends ClusterScoped {
  /** The driver. */
  driverName: string;
  /** Settings for it; fixed for good. */
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
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "DriverName", type: "string", path: ".driverName", description: "The driver." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
