import { group } from "../vocabulary.ts";

/** What happened in the cluster. */
export const events = group({
  name: "events.<domain>",
  versions: ["v1", "v1beta1"],
  priority: 17750,
  kubernetes: true,
});
