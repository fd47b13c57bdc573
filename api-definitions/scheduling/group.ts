import { group } from "../vocabulary.ts";

/** Priorities of pods for scheduling and preemption. */
export const scheduling = group({
  name: "scheduling.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  priority: 16600,
  kubernetes: true,
});
