import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Gated, type Int32, kind, type MicroTime, type Open } from "../../vocabulary.ts";

export interface Lease extends Namespaced {
  spec?: LeaseSpec & Always;
}

export interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: Int32;
  acquireTime?: MicroTime;
  renewTime?: MicroTime;
  leaseTransitions?: Int32;
  strategy?: CoordinatedLeaseStrategy & Gated<"CoordinatedLeaderElection">;
  preferredHolder?: string & Gated<"CoordinatedLeaderElection">;
}

export type CoordinatedLeaseStrategy = Open<"OldestEmulationVersion">;

export const lease = kind<Lease>({
  plural: "leases",
  introduced: "1.14",
  createOnUpdate: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Holder", type: "string", path: ".spec.holderIdentity" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
