import { group } from "../vocabulary.ts";

/** Reports of what happened to objects in the cluster. */
export const events = group({
  name: "events.<domain>",
  versions: ["v1", "v1beta1"],
  priority: 17750,
  kubernetes: true,
});
