import { group } from "../vocabulary.ts";

/** What the servers of a cluster tell each other about storage. */
export const apiserverinternal = group({
  name: "internal.apiserver.<domain>",
  versions: ["v1alpha1"],
  priority: 16000,
  kubernetes: true,
});
