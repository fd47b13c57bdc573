// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { Lease } from "../../api-definitions/coordination/v1/lease.ts";

/** Says who is in charge of something, and until when. */
export const leases = resourceToken<Lease>({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  resource: "leases",
  namespaced: true,
});
