import { group } from "../vocabulary.ts";

/** Fairness between the clients of the API. */
export const flowcontrol = group({
  name: "flowcontrol.apiserver.<domain>",
  versions: ["v1", "v1beta3", "v1beta2", "v1beta1"],
  priority: 16100,
  kubernetes: true,
});
