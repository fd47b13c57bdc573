// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { leaseCandidate as defineLeaseCandidate, type LeaseCandidate } from "../../api-definitions/coordination/v1alpha2/lease-candidate.ts";

/** A component that is available to hold a Lease. A controller chooses the holder among all candidates of the same Lease, in the same namespace. */
export const leasecandidates = resourceToken<LeaseCandidate>({
  group: "coordination.k8s.io",
  version: "v1alpha2",
  kind: "LeaseCandidate",
  resource: "leasecandidates",
  namespaced: true,
}, defineLeaseCandidate);
