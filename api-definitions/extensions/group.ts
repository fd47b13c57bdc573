import { group } from "../vocabulary.ts";

/** The first home of kinds that have since moved to groups of their own. */
export const extensions = group({
  name: "extensions",
  versions: ["v1beta1"],
  priority: 17150,
  formerPriority: { until: "1.20", priority: 17900 },
  kubernetes: true,
});
