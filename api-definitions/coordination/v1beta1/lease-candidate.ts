import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type MicroTime, type OmitZero } from "../../vocabulary.ts";
import type { CoordinatedLeaseStrategy } from "../v1/lease.ts";

export interface LeaseCandidate extends Namespaced {
  spec?: LeaseCandidateSpec & Always;
}

export interface LeaseCandidateSpec {
  leaseName: string;
  pingTime?: MicroTime;
  renewTime?: MicroTime;
  binaryVersion: string;
  emulationVersion?: string & OmitZero;
  strategy: CoordinatedLeaseStrategy & OmitZero;
}

export const leaseCandidate = kind<LeaseCandidate>({
  plural: "leasecandidates",
  introduced: "1.33",
  deprecated: "1.36",
  removed: "1.39",
  offByDefault: true,
  createOnUpdate: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "LeaseName", type: "string", path: ".spec.leaseName" },
    { name: "BinaryVersion", type: "string", path: ".spec.binaryVersion" },
    { name: "EmulationVersion", type: "string", path: ".spec.emulationVersion" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
