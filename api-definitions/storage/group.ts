import { group } from "../vocabulary.ts";

/** Classes of storage, and how volumes reach nodes. */
export const storage = group({
  name: "storage.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  priority: 16800,
  kubernetes: true,
});
