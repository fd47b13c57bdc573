import { group } from "../vocabulary.ts";

/** Leases for leader election and node heartbeats. */
export const coordination = group({
  name: "coordination.<domain>",
  versions: ["v1", "v1beta1", "v1alpha2"],
  priority: 16500,
  kubernetes: true,
});
