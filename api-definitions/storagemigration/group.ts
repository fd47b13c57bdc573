import { group } from "../vocabulary.ts";

/** Migration of stored objects to the current storage version. */
export const storagemigration = group({
  name: "storagemigration.<domain>",
  versions: ["v1alpha1"],
  priority: 15800,
  kubernetes: true,
});
