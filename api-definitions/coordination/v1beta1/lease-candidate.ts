import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Immutable, kind, type MicroTime, type OmitZero } from "../../vocabulary.ts";
import type { CoordinatedLeaseStrategy } from "../v1/lease.ts";

/**
 * A component that is available to hold a Lease. A controller chooses the holder among all candidates of the same
 * Lease, in the same namespace.
 */
export interface LeaseCandidate extends Namespaced {
  /** Desired state of the LeaseCandidate, set by the candidate: its versions and strategy. */
  spec?: LeaseCandidateSpec & Always;
}

/** Versions and state of a candidate for a Lease. */
export interface LeaseCandidateSpec {
  /** Name of the Lease that the candidate is available for. */
  leaseName: string & Immutable;
  /**
   * Time at which the server last asked the candidate whether it is still available. The candidate answers by setting
   * `renewTime`.
   */
  pingTime?: MicroTime;
  /**
   * Time at which the candidate last confirmed that it is available. Candidates that do not renew it are deleted after
   * some time.
   */
  renewTime?: MicroTime;
  /**
   * Version of the candidate's binary, as a semantic version such as `1.33.0`. Must not be less than
   * `emulationVersion`.
   */
  binaryVersion: string;
  /** Version that the candidate emulates, as a semantic version. Required for strategy `OldestEmulationVersion`. */
  emulationVersion?: string & OmitZero;
  /**
   * Strategy by which the holder should be chosen; candidates of one Lease should agree on it. `OldestEmulationVersion`
   * chooses the one with the lowest emulation version. Must be a well-known value or have a domain prefix, such as
   * `example.com/custom`.
   */
  strategy: CoordinatedLeaseStrategy & OmitZero;
}

export const leaseCandidate = kind<LeaseCandidate>({
  plural: "leasecandidates",
  conditionalUpdate: true,
  introduced: "1.33",
  deprecated: "1.36",
  removed: "1.39",
  offByDefault: true,
  createOnUpdate: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "LeaseName", type: "string", path: ".spec.leaseName", description: "Lease that the candidate is for." },
    { name: "BinaryVersion", type: "string", path: ".spec.binaryVersion", description: "Version of the candidate." },
    {
      name: "EmulationVersion",
      type: "string",
      path: ".spec.emulationVersion",
      description: "Version that the candidate emulates.",
    },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
