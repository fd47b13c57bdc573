import { group } from "../vocabulary.ts";

/** Rewriting stored objects in a newer version. */
export const storagemigration = group({
  name: "storagemigration.<domain>",
  versions: ["v1alpha1"],
  priority: 15800,
  kubernetes: true,
});
