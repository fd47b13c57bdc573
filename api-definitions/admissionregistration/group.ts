import { group } from "../vocabulary.ts";

/** Which webhooks and policies look at requests before they are stored. */
export const admissionregistration = group({
  name: "admissionregistration.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  priority: 16700,
  kubernetes: true,
});
