import { group } from "../vocabulary.ts";

/** Endpoints behind Services. */
export const discovery = group({
  name: "discovery.<domain>",
  versions: ["v1", "v1beta1"],
  priority: 16200,
  kubernetes: true,
});
