// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { lease as defineLease, type Lease } from "../../api-definitions/coordination/v1/lease.ts";

/** A lock with a time limit. Components use it for leader election, and kubelets as the heartbeat of their nodes in namespace `kube-node-lease`. */
export const leases = resourceToken<Lease>({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  resource: "leases",
  namespaced: true,
}, defineLease);
