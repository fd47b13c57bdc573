import { group } from "../vocabulary.ts";

/** Work that runs to completion, once or on a schedule. */
export const batch = group({
  name: "batch",
  versions: ["v1", "v1beta1", "v2alpha1"],
  formerVersions: ["v2alpha1"],
  priority: 17400,
  kubernetes: true,
});
