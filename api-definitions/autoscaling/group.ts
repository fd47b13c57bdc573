import { group } from "../vocabulary.ts";

/** Scaling workloads up and down. */
export const autoscaling = group({
  name: "autoscaling",
  versions: ["v2", "v1", "v2beta1", "v2beta2"],
  priority: 17500,
  kubernetes: true,
});
