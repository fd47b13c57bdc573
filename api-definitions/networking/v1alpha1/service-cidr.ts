import type { Condition } from "../../meta/v1/condition.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type ListMap, type PatchMerge } from "../../vocabulary.ts";

/** A range of addresses for services. */
export interface ServiceCIDR extends ClusterScoped {
  /** What is asked for. */
  spec?: ServiceCIDRSpec & Always;
  /** What is the case, as last seen. */
  status?: ServiceCIDRStatus & Always;
}

/** The range. */
export interface ServiceCIDRSpec {
  /** At most one range per family; fixed for good. */
  cidrs?: ListAtomic<string>;
}

/** What came of a range. */
export interface ServiceCIDRStatus {
  /** Whether it can be used. */
  conditions?: ListMap<Condition, "type"> & PatchMerge<"type">;
}

export const serviceCIDR = kind<ServiceCIDR>({
  plural: "servicecidrs",
  generation: false,
  introduced: "1.27",
  deprecated: "1.30",
  removed: "1.33",
  offByDefault: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "CIDRs", type: "string", description: "The ranges." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
