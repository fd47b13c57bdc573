import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind } from "../../vocabulary.ts";

/**
 * A class of volume attributes, such as throughput, that a CSI driver applies to existing volumes too. Claims name it
 * in `volumeAttributesClassName` and may switch to another class later.
 */
export interface VolumeAttributesClass extends ClusterScoped {
  /** Name of the CSI driver that applies the class. Cannot be changed after creation. */
  driverName: string;
  /**
   * Parameters for the driver, such as `iops`; their meaning is up to it. At least one entry is required, and at most
   * 512 entries and 256 KiB are allowed. Cannot be changed after creation: create another class instead. A driver that
   * rejects them makes the change `Infeasible`.
   */
  parameters?: Record<string, string>;
}

export const volumeAttributesClass = kind<VolumeAttributesClass>({
  plural: "volumeattributesclasses",
  shortNames: ["vac"],
  returnsDeleted: true,
  introduced: "1.29",
  deprecated: "1.32",
  removed: "1.35",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "DriverName", type: "string", path: ".driverName", description: "CSI driver that applies the class." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
