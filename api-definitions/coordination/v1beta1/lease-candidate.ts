import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Immutable, kind, type MicroTime, type OmitZero } from "../../vocabulary.ts";
import type { CoordinatedLeaseStrategy } from "../v1/lease.ts";

/** Somebody who would take a lease. */
export interface LeaseCandidate extends Namespaced {
  /** What is asked for. */
  spec?: LeaseCandidateSpec & Always;
}

/** What somebody who would take a lease can offer. */
export interface LeaseCandidateSpec {
  /** The lease. */
  leaseName: string & Immutable;
  /** When it was last asked whether it is still there. */
  pingTime?: MicroTime;
  /** When it last said it is still there. */
  renewTime?: MicroTime;
  /** Its version. */
  binaryVersion: string;
  /** The version it behaves as. */
  emulationVersion?: string & OmitZero;
  /** How it thinks the holder should be chosen. */
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
    { name: "LeaseName", type: "string", path: ".spec.leaseName", description: "The lease." },
    { name: "BinaryVersion", type: "string", path: ".spec.binaryVersion", description: "Version of the candidate." },
    {
      name: "EmulationVersion",
      type: "string",
      path: ".spec.emulationVersion",
      description: "Version the candidate behaves as.",
    },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
