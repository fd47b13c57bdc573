import type { Condition } from "../../meta/v1/condition.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type ListMap, type PatchMerge } from "../../vocabulary.ts";

export interface ServiceCIDR extends ClusterScoped {
  spec?: ServiceCIDRSpec & Always;
  status?: ServiceCIDRStatus & Always;
}

export interface ServiceCIDRSpec {
  cidrs?: ListAtomic<string>;
}

export interface ServiceCIDRStatus {
  conditions?: ListMap<Condition, "type"> & PatchMerge<"type">;
}

export const serviceCIDR = kind<ServiceCIDR>({
  plural: "servicecidrs",
  introduced: "1.33",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "CIDRs", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
