// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { leaseCandidate as defineLeaseCandidate, type LeaseCandidate } from "../../api-definitions/coordination/v1beta1/lease-candidate.ts";
import { lease as defineLease, type Lease } from "../../api-definitions/coordination/v1beta1/lease.ts";

/** A component that is available to hold a Lease. A controller chooses the holder among all candidates of the same Lease, in the same namespace. */
export const leasecandidates = resourceToken<LeaseCandidate>({
  group: "coordination.k8s.io",
  version: "v1beta1",
  kind: "LeaseCandidate",
  resource: "leasecandidates",
  namespaced: true,
}, defineLeaseCandidate);

/** A lock with a time limit. Components use it for leader election, and kubelets as the heartbeat of their nodes in namespace `kube-node-lease`. */
export const leases = resourceToken<Lease>({
  group: "coordination.k8s.io",
  version: "v1beta1",
  kind: "Lease",
  resource: "leases",
  namespaced: true,
}, defineLease);
