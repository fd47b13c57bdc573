// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { LeaseCandidate } from "../../api-definitions/coordination/v1beta1/lease-candidate.ts";
import type { Lease } from "../../api-definitions/coordination/v1beta1/lease.ts";

/** Somebody who would take a lease. */
export const leasecandidates = resourceToken<LeaseCandidate>({
  group: "coordination.k8s.io",
  version: "v1beta1",
  kind: "LeaseCandidate",
  resource: "leasecandidates",
  namespaced: true,
});

/** Says who is in charge of something, and until when. */
export const leases = resourceToken<Lease>({
  group: "coordination.k8s.io",
  version: "v1beta1",
  kind: "Lease",
  resource: "leases",
  namespaced: true,
});
