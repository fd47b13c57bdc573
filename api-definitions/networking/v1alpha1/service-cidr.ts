import type { Condition } from "../../meta/v1/condition.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type ListMap, type PatchMerge } from "../../vocabulary.ts";

/**
 * Range of IP addresses from which Services get their cluster IPs. The server creates one from its flag
 * `--service-cluster-ip-range`; create more to add addresses while the cluster runs. When it is deleted, it remains
 * until every assigned address in it is released or also lies in another range.
 */
export interface ServiceCIDR extends ClusterScoped {
  /** Desired state of the ServiceCIDR. */
  spec?: ServiceCIDRSpec & Always;
  /** Observed state of the ServiceCIDR: conditions that say whether addresses can be assigned from it. */
  status?: ServiceCIDRStatus & Always;
}

/** Ranges of IP addresses for the cluster IPs of Services. */
export interface ServiceCIDRSpec {
  /**
   * One or two ranges in CIDR notation, such as `10.96.0.0/16` and `fd00:1::/108`; if two, one is IPv4 and the other
   * IPv6. Ranges cannot be changed after creation, but a range of the other family can be added to a single one.
   */
  cidrs?: ListAtomic<string>;
}

/** Observed state of a ServiceCIDR. */
export interface ServiceCIDRStatus {
  /**
   * Observed conditions of the ServiceCIDR, set by its controller. `Ready` is `True` if addresses can be assigned from
   * it, and `False` while its deletion waits for addresses that are in use.
   */
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
    { name: "CIDRs", type: "string", description: "Ranges of IP addresses." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the object was created.",
    },
  ],
});
