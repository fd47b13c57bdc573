import { group } from "../vocabulary.ts";

/** API priority and fairness: limits on concurrent requests. */
export const flowcontrol = group({
  name: "flowcontrol.apiserver.<domain>",
  versions: ["v1", "v1beta3", "v1beta2", "v1beta1"],
  priority: 16100,
  kubernetes: true,
});
