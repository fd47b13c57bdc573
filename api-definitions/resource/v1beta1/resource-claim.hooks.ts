import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { ResourceClaim } from "./resource-claim.ts";

export const hooks = hooksFor<ResourceClaim>({ cells: (claim) => ({ State: stateText(claim) }) });

function stateText({ metadata, status }: ResourceClaim): string {
  const deleted = metadata?.deletionTimestamp ? ["deleted"] : [];
  if (status?.allocation === undefined) return deleted[0] ?? "pending";
  return [...deleted, "allocated", ...(status.reservedFor?.length ? ["reserved"] : [])].join(",");
}
