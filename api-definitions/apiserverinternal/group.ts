import { group } from "../vocabulary.ts";

/** Storage versions that the API servers of a cluster share with each other. */
export const apiserverinternal = group({
  name: "internal.apiserver.<domain>",
  versions: ["v1alpha1"],
  priority: 16000,
  kubernetes: true,
});
