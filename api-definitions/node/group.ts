import { group } from "../vocabulary.ts";

/** How nodes run pods. */
export const node = group({
  name: "node.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  priority: 16300,
  kubernetes: true,
});
