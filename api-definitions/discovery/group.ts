import { group } from "../vocabulary.ts";

/** Where the traffic of a service goes. */
export const discovery = group({
  name: "discovery.<domain>",
  versions: ["v1", "v1beta1"],
  priority: 16200,
  kubernetes: true,
});
