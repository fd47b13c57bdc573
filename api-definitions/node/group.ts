import { group } from "../vocabulary.ts";

/** Container runtimes that nodes offer to pods. */
export const node = group({
  name: "node.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  priority: 16300,
  kubernetes: true,
});
