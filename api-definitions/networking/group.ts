import { group } from "../vocabulary.ts";

/** Ingress, network policy and addresses. */
export const networking = group({
  name: "networking.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  priority: 17200,
  kubernetes: true,
});
