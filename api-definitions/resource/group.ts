import { group } from "../vocabulary.ts";

/** Devices that pods can claim. */
export const resource = group({
  name: "resource.<domain>",
  versions: ["v1beta2", "v1beta1", "v1alpha3"],
  priority: 16200,
  kubernetes: true,
});
