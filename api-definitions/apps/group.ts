import { group } from "../vocabulary.ts";

/** Workloads that keep pods running. */
export const apps = group({
  name: "apps",
  versions: ["v1", "v1beta2", "v1beta1"],
  priority: 17800,
  kubernetes: true,
});
