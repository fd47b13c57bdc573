import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Gated, type Int32, kind, type MicroTime } from "../../vocabulary.ts";
import type { CoordinatedLeaseStrategy } from "../v1/lease.ts";

/**
 * A lock with a time limit. Components use it for leader election, and kubelets as the heartbeat of their nodes in
 * namespace `kube-node-lease`.
 */
export interface Lease extends Namespaced {
  /** Holder of the Lease and its times, set by the holder. */
  spec?: LeaseSpec & Always;
}

/** Holder and times of a Lease. */
export interface LeaseSpec {
  /** Identity of the current holder, such as the name of a node or pod. Empty or unset if nobody holds the lease. */
  holderIdentity?: string;
  /**
   * Seconds after `renewTime` for which the lease is valid; other candidates must wait until then. Must be greater than
   * 0.
   */
  leaseDurationSeconds?: Int32;
  /** Time at which the current holder acquired the lease. */
  acquireTime?: MicroTime;
  /** Time at which the current holder last renewed the lease. */
  renewTime?: MicroTime;
  /** Number of times the lease changed from one holder to another. Must be at least 0. */
  leaseTransitions?: Int32;
  /**
   * Strategy by which the holder is chosen among LeaseCandidates: `OldestEmulationVersion` chooses the one with the
   * lowest emulation version. Unset means that the components elect a holder themselves. Must be a well-known value or
   * have a domain prefix, such as `example.com/custom`.
   */
  strategy?: CoordinatedLeaseStrategy & Gated<"CoordinatedLeaderElection">;
  /** Identity of a better candidate, to which the current holder should yield the lease. Requires `strategy`. */
  preferredHolder?: string & Gated<"CoordinatedLeaderElection">;
}

export const lease = kind<Lease>({
  plural: "leases",
  conditionalUpdate: true,
  introduced: "1.12",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "coordination.<domain>/v1 Lease",
  createOnUpdate: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Holder", type: "string", path: ".spec.holderIdentity", description: "Current holder of the lease." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
