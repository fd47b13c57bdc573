import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Gated, type Int32, kind, type MicroTime } from "../../vocabulary.ts";
import type { CoordinatedLeaseStrategy } from "../v1/lease.ts";

/** Says who is in charge of something, and until when. */
export interface Lease extends Namespaced {
  /** What is asked for. */
  spec?: LeaseSpec & Always;
}

/** Who holds a lease, and since when. */
export interface LeaseSpec {
  /** Who holds it. */
  holderIdentity?: string;
  /** Seconds after the last renewal when others may take it. */
  leaseDurationSeconds?: Int32;
  /** When it was taken. */
  acquireTime?: MicroTime;
  /** When it was last renewed. */
  renewTime?: MicroTime;
  /** How often it changed hands. */
  leaseTransitions?: Int32;
  /** How the next holder is chosen. */
  strategy?: CoordinatedLeaseStrategy & Gated<"CoordinatedLeaderElection">;
  /** Who should hold it next. */
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
    { name: "Holder", type: "string", path: ".spec.holderIdentity", description: "Who holds it." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
