import { group } from "../vocabulary.ts";

/** First group of kinds that were later moved to apps, networking and policy. */
export const extensions = group({
  name: "extensions",
  versions: ["v1beta1"],
  priority: 17150,
  formerPriority: { until: "1.20", priority: 17900 },
  kubernetes: true,
});
